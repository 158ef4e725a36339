package instrument

import "runtime"

const onX86 = runtime.GOARCH == "amd64"

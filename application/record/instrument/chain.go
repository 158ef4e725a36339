package instrument

// chain gives the operations on the longest dependency from one execution of a block that is a loop by itself to the
// next. It is empty elsewhere.
func (w *segmentWriter) chain() Ops { return nil }

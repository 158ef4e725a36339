!mod$ v1 sum:d3466a7e8ec0a3b2
module m
contains
subroutine apply(star,a,b)
logical(4),intent(in)::star
real(8)::a(1_8:1000_8,1_8:1000_8)
real(8)::b(1_8:1000_8,1_8:1000_8)
end
end

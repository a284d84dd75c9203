# A target that cannot be probed is unknown, not down. Afterwards hooks report only a difference from before.
target NAS hook=fault hook=change hook=up+down
target Child depends_on=NAS
NAS   r f f f f
Child r r r r r
  1s  NAS unknown→up
  1s  Child unknown→up
  2s  NAS fault permission
  4s  NAS up→unknown
  4s  hook fault of NAS (up→unknown)
  4s  hook change of NAS (up→unknown)
show NAS
  NAS: unknown, for 3s, availability 100%, 1 samples
NAS   r t t t
  6s  NAS fault over
  6s  NAS unknown→up
  6s  hook change of NAS (unknown→up)
  9s  NAS up→down
  9s  Child blocked by NAS
  9s  hook change of NAS (up→down)
  9s  hook down of NAS (up→down)
show NAS
  NAS: down, for 2s, availability 50%, 1 outage, 5 samples
NAS   f f f r
  10s  NAS fault permission
  12s  NAS down→unknown
  12s  Child no longer blocked
  12s  hook fault of NAS (down→unknown)
  12s  hook change of NAS (down→unknown)
  13s  NAS fault over
  13s  NAS unknown→up
  13s  hook change of NAS (unknown→up)
  13s  hook up of NAS (unknown→up)
show NAS
  NAS: up, for 0s, availability 40%, 1 outage, 6 samples

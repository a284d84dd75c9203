# A change of address fires `address` in any health; a transition does not.
target NAS hook=address
NAS r
  1s  NAS unknown→up
address NAS 192.0.2.5 192.0.2.6
  1s  NAS address 192.0.2.5→192.0.2.6
  1s  hook address of NAS
NAS xxx
  4s  NAS up→down
address NAS 192.0.2.6 192.0.2.7
  4s  NAS address 192.0.2.6→192.0.2.7
  4s  hook address of NAS
NAS r
  5s  NAS down→up

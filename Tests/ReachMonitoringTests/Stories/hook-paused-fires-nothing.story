# While paused, neither replies nor changes of address fire hooks. The recovery after that does.
target NAS hook=up+address
NAS r xxx
  1s  NAS unknown→up
  4s  NAS up→down
pause NAS
NAS r
address NAS 192.0.2.5 192.0.2.6
resume NAS
NAS r
  6s  NAS down→up
  6s  hook up of NAS (down→up)

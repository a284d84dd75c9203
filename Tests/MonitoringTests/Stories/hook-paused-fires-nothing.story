# While paused, neither replies nor changes of address fire hooks; the next verdict is a first verdict.
target NAS hook=up+address
NAS r xxx
  1s  NAS unknown→up
  4s  NAS up→down
pause NAS
NAS r
address NAS 192.0.2.5 192.0.2.6
resume NAS
NAS r
  6s  NAS unknown→up

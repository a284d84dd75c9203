# What has changed during a pause is reported after it.
target NAS hook=down+up
NAS r
  1s  NAS unknown→up
pause NAS
wait 1m
resume NAS
NAS xxx
  1m04s  NAS up→down
  1m04s  hook down of NAS (up→down)
pause NAS
wait 1m
resume NAS
NAS r
  2m05s  NAS down→up
  2m05s  hook up of NAS (down→up)

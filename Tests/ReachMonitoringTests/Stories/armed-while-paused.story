# A paused target is not probed: the armed hook waits until it is resumed and replies.
target NAS
NAS r
  1s  NAS unknown→up
pause NAS
arm NAS
  1s  NAS armed mount
resume NAS
NAS r
  2s  armed hook up of NAS

# A paused target is not asked; the hook waits until it is, and answers.
target NAS
NAS r
  1s  NAS unknown→up
pause NAS
arm NAS
  1s  NAS armed mount
resume NAS
NAS r
  2s  NAS unknown→up
  2s  armed hook up of NAS (unknown→up)

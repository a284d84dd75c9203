# A test of a target without hooks is reported.
target NAS
test NAS
  0s  NAS has no hooks

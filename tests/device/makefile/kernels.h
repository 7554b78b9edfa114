/* x[0 .. n) on the device, times `by`. */
void scale(float *x, float by, int n);

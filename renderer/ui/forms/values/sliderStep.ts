/** A step that a slider can be moved by: the schema's own, 1 for integers, about a hundredth of the range otherwise. */
export function sliderStep(range: {
  minimum: number;
  maximum: number;
  integer: boolean;
  step?: number | undefined;
}): number {
  if (range.step !== undefined && range.step > 0) return range.step;
  if (range.integer) return 1;
  return 10 ** Math.floor(Math.log10((range.maximum - range.minimum) / 100));
}

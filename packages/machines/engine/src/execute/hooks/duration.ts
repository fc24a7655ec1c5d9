const UNITS = [
  ['h', 3600],
  ['m', 60],
] as const;

/** Formats seconds as a duration text such as `1h30m0s`, `5m0s` or `1.5s`. Empty for 0, which is not a duration. */
export function durationText(seconds: number): string {
  if (seconds === 0) return '';
  let rest = seconds;
  let text = '';
  for (const [unit, size] of UNITS) {
    const whole = Math.floor(rest / size);
    rest -= whole * size;
    if (whole > 0 || text !== '') text += `${whole}${unit}`;
  }
  return `${text}${Number(rest.toFixed(9))}s`;
}

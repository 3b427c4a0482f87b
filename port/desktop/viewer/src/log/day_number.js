// Days since 1970 of a year, of which two digits may be all there is, a month and a day.
export function dayNumber(year, month, day) {
  const whole = year < 69 ? year + 2000 : year < 100 ? year + 1900 : year;
  return Math.floor(Date.UTC(whole, month - 1, day) / 86_400_000);
}

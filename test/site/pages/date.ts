/** Dates as the paper prints them. */

const format = new Intl.DateTimeFormat('en-GB', { day: 'numeric', month: 'long', year: 'numeric', timeZone: 'UTC' });

/** `date` is `YYYY-MM-DD`. */
export function formatDate(date: string): string {
  return format.format(new Date(`${date}T00:00:00Z`));
}

/** Patterns of English months and days of the week, in lower case. */
export const MONTH = '(?:january|february|march|april|may|june|july|august|september|october|november|december)'
export const WEEKDAY = '(?:mon|tues|wednes|thurs|fri|satur|sun)day'

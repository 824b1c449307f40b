/** Patterns of English months and days of the week, in lower case. */
export const MONTH = '(?:january|february|march|april|may|june|july|august|september|october|november|december)'
export const WEEKDAY = '(?:mon|tues|wednes|thurs|fri|satur|sun)day'
/** Months in full or short: `Sept`. */
export const ANY_MONTH =
  '(?:jan(?:uary)?|feb(?:ruary)?|mar(?:ch)?|apr(?:il)?|may|june?|july?|aug(?:ust)?|sept?(?:ember)?|oct(?:ober)?|nov(?:ember)?|dec(?:ember)?)'

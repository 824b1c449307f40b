/** A pattern of what people are to each other. */
export const RELATION =
  '(?:neighbou?r|friend|colleague|brother|sister|mother|father|mum|mom|dad|son|daughter|cousin|aunt|uncle|niece|nephew|husband|wife|partner|boss|landlord|landlady)'

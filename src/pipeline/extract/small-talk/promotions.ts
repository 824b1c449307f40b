/** Advertising and reminders to use an app, which say nothing about what the owner did, bought or has to do. */

const PROMOTES =
  /(?<!\p{L})(?:(?:special|exclusive|limited(?:[- ]time)?|today['’]s) (?:offers?|prices?|deals?|discounts?|promotions?|specials?|special price)|on (?:special )?(?:offer|sale) (?:today|now|this week)|as low as (?:[$€£¥] ?\d|\d{1,4}[.,]\d\d)|shop now|buy now|order now|new arrivals|(?:is|are) (?:now )?recommended for you|you (?:might|may) also like|(?:today['’]s|daily) [\p{L} -]{2,40}(?:tips?|push|recommendations?|picks?)|recipe recommendations?|jetzt (?:sparen|shoppen|zuschlagen|bestellen|entdecken)|nur für kurze zeit|angebote? (?:des tages|der woche)|offre (?:spéciale|du jour|exclusive)|vente flash|profitez|oferta (?:especial|del día|exclusiva)|aprovecha)(?!\p{L})|限时|特价|优惠券|满减|秒杀|お得な|クーポン|セール中/iu
/** Something of the owner's own. */
const OWN =
  /(?<!\p{L})(?:your? (?:purchased?|order(?:ed)?|parcel|package|payment|booking|reservation|appointment|ticket|account|card|bill|invoice|application|subscription|contract|flight|train|meeting|class|course|homework|prescription|refund|deposit|transfer)|order (?:no|number|#)|ihre? (?:bestellung|paket|buchung|termin|rechnung|konto|antrag)|votre (?:commande|colis|réservation|rendez-vous|facture)|(?:tu|su) (?:pedido|paquete|reserva|cita|factura))(?!\p{L})|您的(?:订单|快递|包裹|账单|预约)|ご注文|ご予約/iu
const LONGEST = 500

/** `Today's special: tomatoes as low as 1.99. Tap to order` */
export function isPromotion(text: string): boolean {
  return text.length <= LONGEST && PROMOTES.test(text) && !OWN.test(text)
}

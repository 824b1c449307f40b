/** Boilerplate of companies and programs: thanks for an order, how to unsubscribe, offers, self-praise. */

const NOTICES: readonly string[] = [
  // English
  String.raw`unsubscribe|view (?:this|it) (?:e-?mail |message )?(?:online|in (?:your|a) browser)|privacy (?:policy|notice)|terms (?:and conditions|of (?:use|service|sale))|(?:do not|don['’]t|please don['’]t) (?:reply|respond) to this|(?:manage|update) (?:your )?(?:e-?mail |notification )?preferences|download (?:our|the) (?:free )?app|follow us on|(?:if you have|have) (?:any )?(?:other |more |further )?questions|need help\?|customer (?:service|support|care) (?:team|is)|we(?:['’]re| are) (?:always |so |very |here |absolutely )*(?:thrilled|excited|happy|delighted|pleased|here) to (?:help|serve|let you know|have you|assist|hear)|thank(?:s| you) for (?:shopping|ordering|choosing|using|being|your (?:order|purchase|booking|reservation|business|patience|interest|trust|payment|support|custom|attention|understanding|cooperation|time|message|e-?mail|call|help))|you (?:are )?receiv(?:ed|ing) this (?:e-?mail|message)|sent (?:from|to) my (?:iphone|ipad|phone|mobile)|all rights reserved|this (?:e-?mail|message|information)(?: and any [a-z]+)? (?:is|are|was|may be) (?:confidential|automatically|intended|generated)|add us to your address book|refer a friend|rate (?:us|your|this)\b|leave (?:us )?a review|tell us what you think|(?:we )?hope (?:you|to|this|that|it)\b.{0,80}|please (?:find|see) (?:attached|enclosed)\.?$|looking forward to (?:hearing|seeing|meeting|your)|i hope (?:this|that|you|it|all)`,
  // Offers and what programs want to be opened for
  String.raw`\d{1,2} ?% (?:off|de (?:descuento|remise|réduction)|rabatt|discount)|(?:flash |summer |winter |end-of-season )?sale (?:is on|ends|now on|starts)|limited[- ]time|don['’]t miss (?:out|it|this)|last chance|special offer|(?:your|tus?|deine?|ton|ta|tes|votre) (?:daily )?(?:streak|lives|energy|racha|vidas|energía|serie|série|vies|leben)\b.{0,40}|see what (?:your|you|['’]s|others).{0,40}|(?:songs|videos|people|posts|shows|jobs|places) (?:we think |that )?you (?:may|might|will|['’]ll) (?:like|love|know|enjoy).{0,20}|(?:picked|recommended|suggested|made|just) for you.{0,30}|(?:is|are) (?:now )?(?:live|trending)(?: now)?|posted for the first time|turn on notifications|you have (?:new )?memories (?:to look back on|from)|complete your profile|people are looking at|come back and play|your (?:weekly )?(?:recap|playlist|mix) is (?:ready|here)`,
  // German
  String.raw`abbestellen|abmelden\.?$|im browser (?:ansehen|öffnen|anzeigen)|datenschutz|allgemeine geschäftsbedingungen|\bagb\b|(?:bitte )?antworten sie nicht|bei (?:rück)?fragen|für (?:rück)?fragen (?:stehen|stehe)|stehen? (?:wir |ich )?(?:ihnen )?(?:gerne|jederzeit)|(?:wir |ich )?freue?n? (?:uns|mich) (?:auf|über|schon|sehr|dass)|vielen dank für (?:ihre?n?|eure?n?|deine?n?|die|das|den)|danke für (?:ihre?n?|eure?n?|deine?n?)|(?:ich|wir) hoffen?,? (?:es|dass|ihr|sie|du|alles|bald).{0,60}|das tut mir (?:sehr |echt |wirklich )?leid|unsere app|folgen sie uns|diese (?:e-?mail|nachricht) (?:ist|wurde|enthält|kann)|jetzt (?:sparen|sichern|entdecken|bewerten)|nur (?:noch )?(?:heute|kurze zeit)|von meinem (?:iphone|handy) gesendet`,
  // French
  String.raw`désabonner|désinscri\p{L}+|dans (?:votre|le) navigateur|politique de confidentialité|conditions générales|ne pas répondre|ne répondez pas|n['’]hésite[zr]? pas|(?:nous |je )?vous remerci(?:ons|e)|merci (?:de|pour) (?:votre|ta|vos|ton|ta)|(?:restons|reste|je reste|nous restons) à (?:votre|ta) disposition|j['’]espère que|nous espérons|dans l['’]attente (?:de|d['’])|notre application|suivez-nous|ce (?:message|courriel|mail|e-mail) (?:est|a été|et)|au plaisir de|je vous prie d|veuillez agréer|profitez(?:-en)?\b`,
  // Spanish
  String.raw`darte de baja|cancelar (?:tu|la|su) suscripción|en (?:tu|el|su) navegador|política de privacidad|términos y condiciones|no respondas?|no responder|favor de no responder|no dud(?:es?|en) en|(?:te|le|les|os) agradecemos|gracias por (?:tu|su|vuestr[oa]|confiar|elegir|comprar|escribir|la|el|todo)|quedo (?:atent[oa]|a (?:la espera|su|tu))|espero que|esperamos que|descarga (?:nuestra|la) app|síguenos|este (?:mensaje|correo)(?: electrónico)? (?:se|es|fue|ha|y)|reserva con \d|aprovecha|últimos días|quedamos a (?:su|tu) disposición|cualquier (?:duda|consulta)`,
  // Japanese and Chinese
  '配信停止|返信(?:いただい|頂い|され)ても|このメールは|このメッセージは|自動(?:送信|配信)|ご不明な点|お気軽に|ご利用(?:いただき|頂き)?(?:誠に)?ありがとう|ご注文(?:いただき|頂き)?(?:誠に)?ありがとう|(?:今後とも|引き続き).{0,12}(?:お願い|よろしく)|ご確認(?:の(?:ほど|上)|をお願い|ください).{0,12}$|お待ちしております|個人情報|退订|请勿(?:直接)?回复|自动发送|感谢(?:您|你)的(?:购买|惠顾|支持|信任|来信)|如有(?:任何)?(?:疑问|问题)|关注(?:我们|的主播)|限时|优惠券|立即(?:查看|抢购|领取)|猜你喜欢|为你推荐|开播|点击(?:查看|领取)|祝您|期待(?:您|你)的',
]
const NOTICE = new RegExp(`(?<!\\p{L})(?:${NOTICES.slice(0, -1).join('|')})|${NOTICES.at(-1)}`, 'iu')
const LONGEST = 160

/** Missed calls from unknown numbers. */
const MISSED =
  /^(?:\d{1,2}[:.h]\d{2}\s*)?(?:(?:missed|verpasst|verpasster anruf|entgangen|manqué|appel manqué|perdida|llamada perdida|不在着信|未接(?:来电)?),? ?(?:(?:call|from|von|de)? ?(?:unknown|unbekannte?|inconnue?|masqué|desconocido|oculto|private|withheld|非通知|骚扰电话|未知)(?: (?:number|nummer|numéro|número|caller))?.{0,12})?|(?:numéro inconnu|unbekannte nummer|número desconocido|骚扰电话|未接来电).{0,20}|(?:occupé|besetzt|ocupado|engaged|no answer|nicht erreicht|pas de réponse|no contesta)\.?)$/iu

/** A standard notice under messages, unless it contains an amount, a day or a number. */
export function isBoilerplate(sentence: string): boolean {
  if (MISSED.test(sentence.trim())) return true
  if (sentence.length > LONGEST || !NOTICE.test(sentence)) return false
  return OFFER.test(sentence) || !/\d/.test(sentence)
}
const OFFER = /\d{1,2} ?%/

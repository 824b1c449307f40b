import { addAsianPersons } from './asian-persons.ts'
import { isListed } from './name-lists.ts'

/** A name in Japanese or Chinese with its type and position. */
interface AsianName {
  readonly name: string
  readonly type: 'person' | 'organization' | 'place'
  readonly at: number
}

const HAN = /\p{Script=Han}/u
/** Words that end a phrase before a name, where there are no spaces; none of them is part of a usual name. */
const PARTICLES = '在到去从從和与與的了是给給向往对對把被让讓跟于我您你他她它们們这這那有要想来來於及或等将將'

const KIND =
  '(?:病院|医院|醫院|診療所|クリニック|ホール|銀行|银行|信用金庫|证券|證券|証券|保険|保险|大学|大學|高校|高等学校|中学校|中学|小学校|小学|学院|幼稚園|幼儿园|保育園|株式会社|有限会社|公司|集团|集團|旗舰店|专卖店|商店|書店|书店|酒店|ホテル|旅館|商事|製作所|工業|建設|不動産|航空|物流|快递|出版社|工務店|小児科|歯科|内科|眼科|皮膚科|整形外科|産婦人科|電力|瓦斯|電機|電気|紡織|製薬|製菓|食品|印刷|写真館|写真事務所|スタジオ|工房|農園|牧場|酒造|醸造|光文堂|瓷砖|家居|家具|砂锅|火锅|烧烤|面馆|饭店|酒楼|茶馆|咖啡馆|咖啡厅|科技|网络|传媒|装饰|装修公司|物业|地产|汽车|电器|电子|健身房|诊所|门诊部|驾校|影院|影城|书城|百货|律所|会计所|新聞社?|协会|協会|学会|研究所|研究院|事務所|事务所|税務署|市役所|区役所|図書館|图书馆|博物館|博物馆|美術館|美术馆|超市|餐厅|食堂|薬局|药店)'
const ORGANIZATION = new RegExp(
  `(?:株式会社|有限会社|合同会社)[\\p{Script=Han}\\p{Script=Katakana}ーA-Za-z]{1,12}|(?:(?![${PARTICLES}])[\\p{Script=Han}々]|[\\p{Script=Katakana}ー]){2,10}${KIND}(?=$|[^\\p{Script=Han}\\p{Script=Katakana}]|[${PARTICLES}])`,
  'gu',
)
/** Whom something is ordered from: `ヒビノに頼みます`, `光文堂に発注`. */
const ENTRUSTED =
  /(?<![\p{Script=Han}\p{Script=Katakana}ー])(?:[\p{Script=Katakana}ー・]{2,12}|\p{Script=Han}{3,6})(?=(?:さん)?(?:に(?:頼|依頼|発注|注文)|から(?:請求|見積|届|納品)|で(?:購入|注文)))/gu
/** Kinds before the name, in katakana: `スタジオアリス`, `ホテルニューオータニ`. */
const HEADED =
  /(?:スタジオ|カフェ|レストラン|ホテル|クリニック|エージェンシー|ショップ|サロン|アトリエ|キッチン|スーパー)(?!の)・?[\p{Script=Katakana}ー・]{2,14}/gu
/** `店铺:X`, `商户X`: what a receipt calls the seller. */
const SELLER =
  /(?:(?:商户|商家)[:：]?|(?:商户名称|店铺|卖家|供应商|販売元|販売店|取引先|加盟店|ショップ)[:：])\s?([\p{Script=Han}\p{Script=Katakana}ーA-Za-z]{2,14})/gu

const CITY =
  '北京|上海|天津|重庆|重慶|广州|廣州|深圳|杭州|南京|苏州|蘇州|成都|武汉|武漢|西安|长沙|郑州|青岛|大连|厦门|宁波|无锡|合肥|福州|济南|昆明|沈阳|哈尔滨|长春|南昌|贵阳|南宁|太原|石家庄|兰州|海口|三亚|拉萨|乌鲁木齐|珠海|佛山|东莞|温州|绍兴|嘉兴|桂林|丽江|大理|香港|澳门|台北|高雄|台中|台南|' +
  '浙江|江苏|广东|四川|云南|湖南|湖北|河南|河北|山东|山西|陕西|福建|安徽|江西|贵州|辽宁|吉林|黑龙江|海南|甘肃|青海|新疆|西藏|内蒙古|宁夏|广西|台湾|' +
  '東京|大阪|京都|名古屋|横浜|神戸|札幌|仙台|広島|福岡|北九州|千葉|埼玉|さいたま|川崎|新潟|静岡|浜松|岡山|熊本|鹿児島|長崎|金沢|奈良|那覇|函館|小樽|旭川|青森|盛岡|秋田|山形|福島|水戸|宇都宮|前橋|高崎|甲府|長野|松本|富山|福井|岐阜|大津|和歌山|鳥取|松江|高松|徳島|松山|高知|佐賀|大分|宮崎|沖縄|北海道|軽井沢|箱根|鎌倉|渋谷|新宿|池袋|品川|銀座|秋葉原|浅草|上野|梅田|難波|' +
  '绵阳|德阳|宜宾|泸州|南充|乐山|达州|遵义|六盘水|曲靖|玉溪|大庆|齐齐哈尔|吉林|延边|鞍山|抚顺|锦州|唐山|保定|邯郸|秦皇岛|廊坊|沧州|大同|临汾|包头|呼和浩特|鄂尔多斯|洛阳|开封|南阳|新乡|许昌|烟台|潍坊|淄博|临沂|济宁|泰安|威海|日照|徐州|常州|南通|扬州|盐城|镇江|泰州|连云港|淮安|宿迁|昆山|常熟|张家港|义乌|金华|台州|湖州|舟山|衢州|丽水|芜湖|蚌埠|黄山|安庆|泉州|漳州|莆田|龙岩|赣州|九江|景德镇|宜昌|襄阳|荆州|黄石|株洲|湘潭|衡阳|岳阳|常德|张家界|中山|惠州|汕头|湛江|江门|肇庆|清远|柳州|北海|西宁|银川|咸阳|宝鸡|延安|天水|敦煌|' +
  '岐阜|津市|四日市|伊勢|豊田|豊橋|岡崎|一宮|春日井|堺|東大阪|姫路|西宮|尼崎|明石|倉敷|福山|下関|山口|久留米|佐世保|別府|那須|日光|草津|熱海|伊豆|沼津|富士|高山|白川郷|宇治|嵐山|吉祥寺|立川|八王子|町田|柏|船橋|松戸|川越|大宮|所沢|藤沢|平塚|小田原|茅ヶ崎|つくば|会津若松|郡山|いわき|弘前|八戸|釧路|帯広|苫小牧|' +
  '日本|中国|韓国|韩国|台湾|アメリカ|美国|英国|イギリス|ドイツ|德国|フランス|法国|パリ|ロンドン|ニューヨーク|ソウル|バンコク|シンガポール|新加坡|ハワイ|巴黎|伦敦|纽约|东京|首尔|曼谷|悉尼|温哥华|洛杉矶'
const STATION = '(?:虹桥|浦东)?[东西南北東]?(?:站|駅|机场|空港|市|区|県|省|府)?'
const PLACE = new RegExp(`(?:${CITY})${STATION}(?=$|[^\\p{L}]|\\p{L})`, 'gu')
const SIGHT = new RegExp(
  `(?<!\\p{Script=Han}|[々])(?:(?![${PARTICLES}])\\p{Script=Han}){1,6}(?:湖|桥|橋|公园|公園|广场|広場|駅|古镇|古城|神社|神宮|大社|温泉|空港|机场|火车站|高铁站|地铁站|车站|大街|海岸|海滩|会议中心|会展中心|展览中心|体育馆|体育场|大厦|動物園|动物园|水族館|水族馆|遊園地|美術館前)(?!\\p{Script=Han})|(?<=[${PARTICLES}过過])(?:(?![${PARTICLES}])\\p{Script=Han}){2,6}(?:公园|广场|机场|火车站|高铁站|地铁站|车站|古镇|古城)`,
  'gu',
)

/** Names in Japanese and Chinese, which have no capitals: by titles, by kinds of institutions, and by a list of places. */
export function asianNames(text: string): AsianName[] {
  if (!HAN.test(text)) return []
  const found: AsianName[] = []
  const add = (name: string | undefined, type: AsianName['type'], at: number) => {
    if (name === undefined) return
    const end = at + name.length
    if (!found.some((other) => at < other.at + other.name.length && other.at < end)) found.push({ name, type, at })
  }
  addListed(text, add)
  for (const match of text.matchAll(ORGANIZATION)) add(match[0], 'organization', match.index)
  for (const match of text.matchAll(ENTRUSTED))
    if (!isListed('family-names', match[0])) add(match[0], 'organization', match.index)
  for (const match of text.matchAll(HEADED)) add(match[0], 'organization', match.index)
  for (const match of text.matchAll(SELLER))
    add(match[1], 'organization', match.index + match[0].length - (match[1]?.length ?? 0))
  addAsianPersons(text, add)
  for (const match of text.matchAll(PLACE)) add(match[0], 'place', match.index)
  for (const match of text.matchAll(SIGHT)) add(match[0], 'place', match.index)
  return found
}

const LONGEST_LISTED = 9
const SHORTEST_LISTED = 2
const RUN = /[\p{Script=Han}\p{Script=Katakana}ー]{2,}/gu

/** Listed companies within a run of characters, the longest first at each place. */
function addListed(text: string, add: (name: string, type: 'organization', at: number) => void): void {
  for (const run of text.matchAll(RUN)) {
    const written = run[0]
    for (let at = 0; at + SHORTEST_LISTED <= written.length; at++) {
      const name = listedAt(written, at)
      if (name === undefined) continue
      add(name, 'organization', run.index + at)
      at += name.length - 1
    }
  }
}

function listedAt(written: string, at: number): string | undefined {
  const isKana = (char: string | undefined) => char !== undefined && /[\p{Script=Katakana}ー]/u.test(char)
  for (let length = Math.min(LONGEST_LISTED, written.length - at); length >= SHORTEST_LISTED; length--) {
    const name = written.slice(at, at + length)
    if (!isListed('organizations', name)) continue
    // Within a longer word in katakana it is a part of that word.
    const isCut = (isKana(name[0]) && isKana(written[at - 1])) || (isKana(name.at(-1)) && isKana(written[at + length]))
    if (!isCut) return name
  }
  return undefined
}

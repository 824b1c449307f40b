import { isListed } from './name-lists.ts'

/** A name in Japanese or Chinese with its type and where it stands. */
interface AsianName {
  readonly name: string
  readonly type: 'person' | 'organization' | 'place'
  readonly at: number
}

const HAN = /\p{Script=Han}/u
/** Words that end a phrase before a name, where there are no spaces; none of them is part of a usual name. */
const PARTICLES = '在到去从從和与與的了是给給向往对對把被让讓跟于我您你他她它们們这這那有要想来來於及或等将將'

const FAMILY_TITLE =
  '(?:先生|女士|小姐|太太|老师|老師|老板|经理|經理|医生|醫生|师傅|師傅|阿姨|叔叔|奶奶|教授|律师|律師|主任|同学|同學|总监|总)'
const CHINESE_TITLED = new RegExp(
  `(\\p{Script=Han}{1,2})${FAMILY_TITLE}|(?<!\\p{Script=Han})[小老](\\p{Script=Han})(?!\\p{Script=Han})`,
  'gu',
)
const JAPANESE_TITLED =
  /(?<![おご])(?:[\p{Script=Han}々]{1,4}|[\p{Script=Katakana}ー]{2,8})(?:さん|ちゃん|くん|君|様|氏|先生|部長|課長|係長|社長|店長|教授)/gu
/** Kin and roles that are addressed like persons. */
const NOBODY =
  /^(?:父|母|兄|姉|弟|妹|祖父|祖母|叔父|叔母|伯父|伯母|娘|息子|子供|子|奥|嫁|婿|客|皆|神|王|殿|仏|各位|皆々|貴社|御社|弊社|店員|医者|看護師|大家|管理人|業者|担当者?|同|諸|何|別|此|彼|俺|方|仕|有|同仕|日|月|年|学|小学|社|部|課|係|店|大家|幼儿园|幼稚园|学校|公司|班主任|客户|顾客)$/
const JAPANESE_KIN =
  /(?:娘|息子|妻|夫|弟|妹|兄|姉|友人|友達|同僚|彼女|彼氏|長男|長女|次男|次女)の([\p{Script=Hiragana}]{2,4}|[\p{Script=Katakana}ー]{2,8}|[\p{Script=Han}]{1,3})(?=[はがをにとも、。])/gu
const FULL_NAME =
  /(?<![\p{Script=Han}々])([\p{Script=Han}々]{1,3})[ 　]([\p{Script=Han}々]{1,3}|[\p{Script=Hiragana}]{2,4})(?![\p{Script=Han}\p{Script=Hiragana}々])/gu

const KIND =
  '(?:病院|医院|醫院|診療所|クリニック|ホール|銀行|银行|信用金庫|证券|證券|証券|保険|保险|大学|大學|高校|高等学校|中学校|中学|小学校|小学|学院|幼稚園|幼儿园|保育園|株式会社|有限会社|公司|集团|集團|旗舰店|专卖店|商店|書店|书店|酒店|ホテル|旅館|商事|製作所|工業|建設|不動産|航空|物流|快递|出版社|新聞社?|协会|協会|学会|研究所|研究院|事務所|事务所|税務署|市役所|区役所|図書館|图书馆|博物館|博物馆|美術館|美术馆|超市|餐厅|食堂|薬局|药店)'
const ORGANIZATION = new RegExp(
  `(?:株式会社|有限会社|合同会社)[\\p{Script=Han}\\p{Script=Katakana}ーA-Za-z]{1,12}|(?:(?![${PARTICLES}])[\\p{Script=Han}々]|[\\p{Script=Katakana}ー]){2,10}${KIND}(?=$|[^\\p{Script=Han}\\p{Script=Katakana}]|[${PARTICLES}])`,
  'gu',
)
/** `店铺:X`, `商户X`: what a receipt calls the seller. */
const SELLER =
  /(?:商户|商户名称|商家|店铺|卖家|供应商|販売元|販売店|取引先|加盟店|ショップ)[:：]?\s?([\p{Script=Han}\p{Script=Katakana}ーA-Za-z]{2,14})/gu

const CITY =
  '北京|上海|天津|重庆|重慶|广州|廣州|深圳|杭州|南京|苏州|蘇州|成都|武汉|武漢|西安|长沙|郑州|青岛|大连|厦门|宁波|无锡|合肥|福州|济南|昆明|沈阳|哈尔滨|长春|南昌|贵阳|南宁|太原|石家庄|兰州|海口|三亚|拉萨|乌鲁木齐|珠海|佛山|东莞|温州|绍兴|嘉兴|桂林|丽江|大理|香港|澳门|台北|高雄|台中|台南|' +
  '浙江|江苏|广东|四川|云南|湖南|湖北|河南|河北|山东|山西|陕西|福建|安徽|江西|贵州|辽宁|吉林|黑龙江|海南|甘肃|青海|新疆|西藏|内蒙古|宁夏|广西|台湾|' +
  '東京|大阪|京都|名古屋|横浜|神戸|札幌|仙台|広島|福岡|北九州|千葉|埼玉|さいたま|川崎|新潟|静岡|浜松|岡山|熊本|鹿児島|長崎|金沢|奈良|那覇|函館|小樽|旭川|青森|盛岡|秋田|山形|福島|水戸|宇都宮|前橋|高崎|甲府|長野|松本|富山|福井|岐阜|大津|和歌山|鳥取|松江|高松|徳島|松山|高知|佐賀|大分|宮崎|沖縄|北海道|軽井沢|箱根|鎌倉|渋谷|新宿|池袋|品川|銀座|秋葉原|浅草|上野|梅田|難波|' +
  '日本|中国|韓国|韩国|台湾|アメリカ|美国|英国|イギリス|ドイツ|德国|フランス|法国|パリ|ロンドン|ニューヨーク|ソウル|バンコク|シンガポール|新加坡|ハワイ|巴黎|伦敦|纽约|东京|首尔|曼谷|悉尼|温哥华|洛杉矶'
const STATION = '(?:虹桥|浦东)?[东西南北東]?(?:站|駅|机场|空港|市|区|県|省|府)?'
const PLACE = new RegExp(`(?:${CITY})${STATION}(?=$|[^\\p{L}]|\\p{L})`, 'gu')
const SIGHT =
  /(?<!\p{Script=Han})\p{Script=Han}{1,4}(?:湖|桥|橋|公园|公園|广场|広場|駅|古镇|古城|神社|温泉|空港|机场|车站|大街|海岸|海滩)(?!\p{Script=Han})/gu

/** Names in Japanese and Chinese, which have no capitals: by titles, by kinds of institutions, and by a list of places. */
export function asianNames(text: string): AsianName[] {
  if (!HAN.test(text)) return []
  const found: AsianName[] = []
  const add = (name: string | undefined, type: AsianName['type'], at: number) => {
    if (name === undefined) return
    const end = at + name.length
    if (!found.some((other) => at < other.at + other.name.length && other.at < end)) found.push({ name, type, at })
  }
  for (const match of text.matchAll(ORGANIZATION)) add(match[0], 'organization', match.index)
  for (const match of text.matchAll(SELLER))
    add(match[1], 'organization', match.index + match[0].length - (match[1]?.length ?? 0))
  addPersons(text, add)
  for (const match of text.matchAll(PLACE)) add(match[0], 'place', match.index)
  for (const match of text.matchAll(SIGHT)) add(match[0], 'place', match.index)
  return found
}

function addPersons(text: string, add: (name: string | undefined, type: 'person', at: number) => void): void {
  for (const match of text.matchAll(CHINESE_TITLED)) {
    const family = match[1] ?? match[2] ?? ''
    // "幼儿园李老师": the last one or two characters are the family's.
    const start = isListed('family-names', family)
      ? 0
      : isListed('family-names', family.slice(-1))
        ? family.length - 1
        : -1
    if (start >= 0 && !NOBODY.test(family)) add(match[0].slice(start), 'person', match.index + start)
  }
  for (const match of text.matchAll(JAPANESE_TITLED)) {
    const bare = match[0].replace(/(?:さん|ちゃん|くん|君|様|氏|先生|部長|課長|係長|社長|店長|教授)$/, '')
    const isKana = !HAN.test(bare)
    const isName = isKana ? /(?:さん|ちゃん|くん|君|様)$/.test(match[0]) : !NOBODY.test(bare)
    if (isName && !/(?:先生|教授|部長|課長|係長|社長|店長)$/.test(match[0])) add(match[0], 'person', match.index)
    else if (isName && isListed('family-names', bare)) add(match[0], 'person', match.index)
  }
  for (const match of text.matchAll(JAPANESE_KIN))
    add(match[1], 'person', match.index + match[0].length - (match[1]?.length ?? 0))
  for (const match of text.matchAll(FULL_NAME))
    if (isListed('family-names', match[1] ?? '')) add(match[0], 'person', match.index)
}

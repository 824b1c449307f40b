import { isListed } from './name-lists.ts'

/** Kin and roles that are addressed like persons. */
const NOBODY =
  /^(?:父|母|兄|姉|弟|妹|祖父|祖母|叔父|叔母|伯父|伯母|娘|息子|子供|子|奥|嫁|婿|客|皆|神|王|殿|仏|各位|皆々|貴社|御社|弊社|店員|医者|看護師|大家|管理人|業者|担当者?|同|諸|何|別|此|彼|俺|方|仕|有|同仕|日|月|年|学|小学|社|部|課|係|店|大家|幼儿园|幼稚园|学校|公司|班主任|客户|顾客)$/
const FAMILY_TITLE =
  '(?:先生|女士|小姐|太太|老师|老師|老板|经理|經理|医生|醫生|师傅|師傅|阿姨|叔叔|奶奶|教授|律师|律師|主任|同学|同學|总监|总)'
const CHINESE_TITLED = new RegExp(
  `(\\p{Script=Han}{1,2})${FAMILY_TITLE}|(?<!\\p{Script=Han})[小老](\\p{Script=Han})(?!\\p{Script=Han})`,
  'gu',
)
const JAPANESE_TITLED =
  /(?<![おご])(?:[\p{Script=Han}々]{1,4}|[\p{Script=Katakana}ー]{2,8})(?:さん|ちゃん|くん|君|様|氏|先生|部長|課長|係長|社長|店長|教授)/gu
const JAPANESE_KIN =
  /(?:娘|息子|妻|夫|弟|妹|兄|姉|友人|友達|同僚|彼女|彼氏|長男|長女|次男|次女|後輩|先輩|部下|上司|アシスタント|担当)の([\p{Script=Hiragana}]{2,4}|[\p{Script=Katakana}ー]{2,8}|[\p{Script=Han}]{1,3})(?=[はがをにともへ、。]|さん)/gu
const FULL_NAME =
  /(?<![\p{Script=Han}々])([\p{Script=Han}々]{1,3})[ 　]([\p{Script=Han}々]{1,3}|[\p{Script=Hiragana}]{2,4})(?![\p{Script=Han}\p{Script=Hiragana}々])/gu
/** A family name of two characters alone: `鈴木と`, `加納は`. */
const JAPANESE_FAMILY = /(?<![\p{Script=Han}\p{Script=Katakana}々])([\p{Script=Han}々]{2,3})(?=[はがとにもへ、])/gu

/** Words before the name of a person, where there are no spaces. */
const BEFORE_CHINESE =
  /(?:^|[\s,。,、;:：；!?！？(（]|和|与|跟|找|叫|让|给|由|请|问|告诉|联系|收到|快递员|司机|师傅|经理|同事|朋友|同学|房东|室友|闺蜜|负责人|@)$/u
/** What follows a name: an act, a particle, or the end. */
const AFTER_CHINESE =
  /^(?:在|说|的|把|要|会|从|过来|来|去|转账|派送|提交|下单|负责|明天|今天|昨天|后天|下周|周|上午|下午|晚上|已|也|和|与|跟|吃|聊|打|发|给|你|帮|写|做|安排|准备|答应|同意|通知|联系|之前|[\d\s,。,、;:：；!?！？)）]|$)/u
const CHINESE_KIN =
  /(?:表妹|表弟|表哥|表姐|堂妹|堂弟|堂哥|堂姐|外甥女?|侄子|侄女|儿子|女儿|闺女|弟弟|妹妹|哥哥|姐姐|同事|闺蜜|室友|朋友)(\p{Script=Han}{2})(?=[从在和跟要说的来去也,。,、 ]|明天|今天|过来)/gu
/** `小赵`, `师傅老赵11月3号` */
const FAMILIAR =
  /(?<=师傅|同事|经理|老师|司机|和|跟|让|找|给|问|叫)[小老](\p{Script=Han})(?=[在说的把要会从和跟来去也,。,、\d\s]|明天|今天|后天)/gu
/** Pet names of children: `豆豆`, `乐乐`. */
const DOUBLED =
  /(?<!\p{Script=Han})([豆乐樂贝朵果团圆甜糖萌妞萱琪欣婷丽芳娜露琳轩浩涵心月晨牛虎毛球米妮娃多安康阳洋冬夏秋雪兰蕾蓓佳瑶莹晶菲])\1(?=[的在和跟要说来去也不第想会今明后昨上下周,。,、]|$)|(?<=[接送带给和跟陪问让])([豆乐樂贝朵果团圆甜糖萌妞萱琪欣婷丽芳娜露琳轩浩涵月晨牛虎妮娃阳洋蕾蓓佳瑶莹晶菲])\2/gu

type Add = (name: string | undefined, type: 'person', at: number) => void

/** Persons in Japanese and Chinese: by titles, kin, roles, and by listed family names between words that enclose a name. */
export function addAsianPersons(text: string, add: Add): void {
  const isJapanese = /\p{Script=Hiragana}/u.test(text)
  addTitled(text, add)
  const addGroup = (pattern: RegExp, accepts: (name: string) => boolean) => {
    for (const match of text.matchAll(pattern)) {
      const name = match[1] ?? ''
      if (accepts(name)) add(name, 'person', match.index + match[0].length - name.length)
    }
  }
  addGroup(JAPANESE_KIN, () => true)
  for (const match of text.matchAll(FULL_NAME))
    if (isListed('family-names', match[1] ?? '')) add(match[0], 'person', match.index)
  if (isJapanese) {
    addGroup(JAPANESE_FAMILY, (name) => isListed('family-names', name) && !isWord(name, 'ja'))
    return
  }
  addGroup(CHINESE_KIN, (name) => !isWord(name, 'zh'))
  addChineseNames(text, add)
  for (const match of text.matchAll(FAMILIAR))
    if (isListed('family-names', match[1] ?? '')) add(match[0], 'person', match.index)
  for (const match of text.matchAll(DOUBLED)) add(match[0], 'person', match.index)
}

/** A listed family name with one or two characters, between words that enclose a name. */
function addChineseNames(text: string, add: Add): void {
  for (let at = 0; at < text.length; at++) {
    if (!isListed('family-names', text[at] ?? '') || !BEFORE_CHINESE.test(text.slice(Math.max(0, at - 4), at))) continue
    for (const length of [3, 2]) {
      const name = text.slice(at, at + length)
      if (!HAN_ONLY.test(name) || !AFTER_CHINESE.test(text.slice(at + length, at + length + 3)) || isWord(name, 'zh'))
        continue
      add(name, 'person', at)
      at += length - 1
      break
    }
  }
}

const HAN_ONLY = /^\p{Script=Han}{2,3}$/u

function addTitled(text: string, add: Add): void {
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
    const isKana = !/\p{Script=Han}/u.test(bare)
    const isName = isKana ? /(?:さん|ちゃん|くん|君|様)$/.test(match[0]) : !NOBODY.test(bare)
    if (isName && !/(?:先生|教授|部長|課長|係長|社長|店長)$/.test(match[0])) add(match[0], 'person', match.index)
    else if (isName && isListed('family-names', bare)) add(match[0], 'person', match.index)
  }
}

const segmenters = new Map<string, Intl.Segmenter>()
/** Family names that are ordinary words too. */
const ORDINARY =
  /^(?:方面|方法|方便|方案|高兴|高中|高铁|高速|周末|周一|周二|周三|周四|周五|周六|周日|时候|时间|安排|安全|任务|任何|金额|金融|白天|白色|黄色|黄金|马上|马路|车站|车票|车子|路上|路过|和平|平时|平台|水电|水果|成本|成功|明天|明年|明白|常常|常见|毛病|余额|计划|关系|关于|支付|支持|项目|应该|应用|温度|施工|张贴|包括|包裹|全部|全家|经理|经常|游戏|家长|家里|房东|房子|向来|东西|东门|花园|江边|江南|段时间|文件|文章|文化|师傅|连接|连续|于是|许多|左右|石头|石油|宁可|司机|司法|别人|古城|古镇|国家|国内|国际|易事|万一|万元|千万|单位|单价|单子|何时|何况|严重|党员|田地|景点|利率|利息|都不|都是|那边|那么|元旦|程序|曾经|习惯|解释|解决|池子|相关|相信|盛大|边上|牛奶|空调|空间|从来|后天|后面|海边|海外|老师|老板|来自|过来|满意|谈谈|商量|商场|冷静|热水|充电|充值|益处)$/

/** Whether the characters are a word of the language rather than a name. */
function isWord(name: string, language: 'ja' | 'zh'): boolean {
  if (ORDINARY.test(name)) return true
  if (language === 'ja') return false
  if (name.length !== 2) return /[的了在是我你他她它们吗呢吧啊不没就都还很再也和与给把被让这那哪什么怎么]/u.test(name)
  let segmenter = segmenters.get(language)
  if (!segmenter) {
    segmenter = new Intl.Segmenter(language, { granularity: 'word' })
    segmenters.set(language, segmenter)
  }
  // The dictionary of the segmenter has words of two characters; a rare name falls apart.
  const [first] = segmenter.segment(name)
  return first?.segment === name || /[的了在是我你他她它们吗呢吧啊不没就都还很再也]/u.test(name)
}

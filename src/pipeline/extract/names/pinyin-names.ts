/** Chinese names in Latin letters. */

/** A syllable of standard Chinese: an initial, a medial and a final. */
const SYLLABLE =
  '(?:(?:[bpmfw]|zh|ch|sh|[dtnlgkhjqxrzcsy])(?:uang|iang|iong|ang|eng|ing|ong|uai|uan|ian|iao|ai|ei|ao|ou|an|en|in|un|ue|ui|ua|uo|ia|ie|iu|üe|a|e|i|o|u|ü)|er|an|ai|ao|en|ou|e|a)'
/** Family names, without those that are English words or names, such as Sun, Long, Fan and Su. */
const FAMILY: ReadonlySet<string> = new Set(
  (
    'Wang Li Zhang Liu Chen Yang Huang Zhao Wu Zhou Xu Ma Zhu Hu Guo Lin Luo Zheng Liang Xie Tang Deng Feng Cao Peng Zeng Xiao Tian Dong Yuan Cai Jiang Yu Du Ye ' +
    'Cheng Wei Lü Ren Lu Yao Shen Zhong Cui Liao Jin Shi Jia Xia Fu Fang Zou Xiong Bai Meng Qin Qiu Hou Yin Xue Yan Duan Lei Tao Mao Hao Gu Shao Qian Qi ' +
    'Kong Xiang Chang Ouyang Situ Shangguan Zhuge'
  ).split(' '),
)
const GIVEN = new RegExp(`^(?=\\p{Lu})(?:${SYLLABLE}){2}$`, 'iu')
/** `Xuanxuan`, `Zhe Zhe`: pet names of children. */
const DOUBLED = new RegExp(`^(${SYLLABLE}) ?\\1$`, 'iu')
/** A silent e, as in "Long Time" and "Sun Shade". */
const SILENT_E = /[^eiuüa]e$/i
/** English words and other names with such syllables. */
const NO_NAME: ReadonlySet<string> = new Set(
  'Dodo Coco Dada Mama Papa Nana Gaga Yoyo Bebe Lulu Fifi Gigi Toto Bobo Lala Haha Hehe Wawa Zaza'.split(' '),
)

/** `Ma Jianguo`, `Xuanxuan`: a family name with a given name of two syllables, or a doubled syllable. */
export function isPinyinName(words: readonly string[]): boolean {
  const [first = '', second = ''] = words
  if (words.length === 2 && FAMILY.has(first) && GIVEN.test(second) && !SILENT_E.test(second)) return true
  const name = words.join(' ')
  return words.length <= 2 && name.length >= 6 && DOUBLED.test(name) && !NO_NAME.has(name)
}

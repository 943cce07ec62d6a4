/**
 * Letters that look like Latin ones, as data: a subset of the confusables of Unicode Technical Standard #39 that replace a-z in
 * practice (Cyrillic, Greek, Armenian, Cherokee, small capitals, other Latin letters). Letters that NFKC folds (full width,
 * mathematical, circled) are not listed. Must not decide anything. Called by sanitize-fold.ts.
 */

/**
 * Pairs: the look-alike, then the Latin letter. A capital is listed only if it resembles another letter than its small form.
 */
const PAIRS =
  // Cyrillic
  'аa вb сc ԁd еe ёe һh іi їi јj кk ӏl мm пn оo рp ԛq гr ѕs тt уy ѵv ԝw хx нh ьb ɡg ҫc ҽe қk ԍg ғf ҝk ңh ӧo өo ӡ3 ' +
  'НH ВB ' +
  // Greek
  'αa βb ϲc δd εe γy ηn ιi κk λl μu νv οo ρp σo τt υu χx ωw ζz ϳj θo ΗH ΥY ΜM ΝN ΖZ ΑA ΒB ΕE ΙI ΚK ΟO ΡP ΤT ΧX ' +
  // Armenian, Cherokee
  'աw բp գq եt զq հh ձd յj նu ոn չz պu ռn սu տw ցg ւi օo քp ֆf ᎪA ᏴB ᏟC ᎠD ᎬE ᏀG ᎻH ᎥI ᎫJ ᏦK ᏞL ᎷM ᏢP ᏒR ᏚS ᎢT ᏙV ᎳW ᏃZ ' +
  // small capitals, and Latin letters with a bar, a hook or no dot
  'ᴀa ʙb ᴄc ᴅd ᴇe ꜰf ɢg ʜh ɪi ᴊj ᴋk ʟl ᴍm ɴn ᴏo ᴘp ꞯq ʀr ꜱs ᴛt ᴜu ᴠv ᴡw ʏy ᴢz ' +
  'ıi ȷj łl øo đd ħh ŧt ɑa ɓb ɖd ɗd ɛe ƒf ɠg ɦh ɨi ɩi ʝj ƙk ɭl ɱm ɲn ŋn ɵo ƥp ɋq ɼr ʂs ƭt ʉu ʋv ɯw ʐz ɐa ǝe ɥh ʇt ʌv ʍw ʎy ɔo'

export const CONFUSABLES: ReadonlyMap<string, string> = new Map(
  PAIRS.split(' ')
    .filter((pair) => pair !== '')
    .map((pair) => {
      const [from = '', to = ''] = [...pair]
      return [from, to.toLowerCase()]
    }),
)

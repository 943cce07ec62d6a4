/**
 * Finds the sender that a question about mail names, anywhere in it: "what did anna say in her mail", "die letzte Mail von
 * meiner Tochter", "whats the 5rb email say". Works on the text alone. Called by loose.ts and models/rules/plan-for.ts.
 */

const B = '(?<![\\p{L}\\p{N}])'
const E = '(?![\\p{L}\\p{N}])'
/** Words that end a name. */
const STOP = word(
  'about|regarding|re|concerning|wegen|zu|zum|zur|über|bezüglich|say|says|said|write|writes|wrote|want|wants|wanted|answer|answered|reply|replied|put|send|sent|saying|mail|mails|email|emails|e-mail|message|in|on|at|to|me|us|mir|uns|denn|eigentlich|schon|jetzt|nochmal|vor|vorlesen|please|bitte|pls|and|und|or|oder|this|last|today|yesterday|heute|gestern|that|which|who|with|for|from|his|her|their|ihrer?|seiner?|geschrieben|geantwortet|gesagt|gemeint|gewollt|it|them|him|you|i|we|we|the',
)
const NAME = "[\\p{L}\\p{N}][\\p{L}\\p{M}\\p{N}'’.&-]*"
const ARTICLE =
  '(?:(?:read|open|show|get|me|out|up|to|in|lies|öffne|my|the|our|that|der|die|das|dem|den|meine[nrm]?|mein|unsere[nrm]?|unser|herrn?|frau|mr\\.?|mrs\\.?|ms\\.?|dr\\.?) )*'
const WORDS = `(?<who>${NAME}(?: ${NAME}){0,3})`
const WAYS: readonly RegExp[] = [
  new RegExp(`${B}(?:from|by|von|vom) ${ARTICLE}${WORDS}`, 'iu'),
  new RegExp(
    `${B}(?:did|does|has) ${ARTICLE}(?<who>${NAME}(?: ${NAME}){0,3}?) (?:say|write|want|answer|reply|put|mean|written|said)${E}`,
    'iu',
  ),
  new RegExp(
    `${B}(?:was|what) (?:(?:hat|hatte|will|wollte|schreibt|schrieb|sagt|meint|möchte) )${ARTICLE}${WORDS}`,
    'iu',
  ),
  new RegExp(
    `${B}${ARTICLE}(?<who>${NAME}(?: ${NAME})?)['’]s (?:last |latest |new |newest )?(?:e-?mail|mail|message|letter|reply|answer)${E}`,
    'iu',
  ),
  new RegExp(
    `${B}(?:what|whats|what['’]s) (?:does |is |did )?the (?<who>${NAME}(?: ${NAME})?) (?:e-?mail|mail|message) (?:say|saying|want)`,
    'iu',
  ),
  new RegExp(
    `${B}what (?:the |my )(?<who>${NAME}(?: ${NAME})?) (?:sent|wrote|said|wants|answered)${E}`,
    'iu',
  ),
]
/** Pronouns and other words that name nobody. */
const NOBODY = word(
  '(?:he|she|they|him|her|them|it|this|that|you|i|we|me|anyone|everyone|someone|er|sie|es|ihm|ihr|ihnen|du|ich|wir|jemand|alle|work|school(?= run)|gestern|heute|yesterday|today|last|der|die|das|one|mail|email)',
)
const MOST = 3

/** Returns the name as typed; null if the text names nobody. */
export function senderIn(text: string): string | null {
  for (const way of WAYS) {
    const said = way.exec(text)?.groups?.['who']
    if (said === undefined) continue
    const words = said.split(' ')
    const end = words.findIndex((one) => STOP.test(one))
    const name = words.slice(0, end < 0 ? words.length : end)
    if (name.length > 0 && name.length <= MOST && !NOBODY.test(name[0] ?? ''))
      return name.join(' ').replace(/['’]s$|[.,]$/, '')
  }
  return null
}

function word(source: string): RegExp {
  return new RegExp(`^(?:${source})$`, 'iu')
}

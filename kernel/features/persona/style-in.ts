/**
 * Reads a wish about how the assistant speaks: "be a bit drier", "answer shorter please", "sei etwas
 * förmlicher". A closed list of styles, so that no other wish matches. Pure. Called by names-in.ts.
 */

const HOW =
  'dr(?:y|ier|yer)|short(?:er)?|brief(?:er|ly)?|concise(?:ly)?|terse(?:r|ly)?|long(?:er)?|detailed|thorough|formal(?:ly)?|informal(?:ly)?|casual(?:ly)?|friendly|friendlier|warm(?:er|ly)?|' +
  'polite(?:r|ly)?|funny|funnier|witty|wittier|humorous|serious(?:ly)?|direct(?:ly)?|blunt(?:er|ly)?|cheerful|calm(?:er|ly)?|plain(?:er|ly)?|simple|simpler|simply|chatty|talkative|' +
  'trocken(?:er)?|trockner|kurz|kürzer|knapp(?:er)?|lang|länger|ausführlich(?:er)?|f(?:ö|oe)rmlich(?:er)?|formell(?:er)?|locker(?:er)?|lockrer|freundlich(?:er)?|warm|wärmer|herzlich(?:er)?|' +
  'höflich(?:er)?|witzig(?:er)?|lustig(?:er)?|humorvoll(?:er)?|ernst(?:er)?|ernsthaft(?:er)?|direkt(?:er)?|sachlich(?:er)?|nüchtern(?:er)?|ruhig(?:er)?|einfach(?:er)?|gesprächig(?:er)?'
const DEGREE =
  'a (?:bit|little|tad|lot)|slightly|somewhat|much|more|less|very|really|always|rather|not so|not too|a touch|ein (?:bisschen|wenig)|bisschen|etwas|viel|mehr|weniger|sehr|immer|eher|ruhig|mal|nicht (?:so|zu)'
const MANNER = `(?:(?:${DEGREE}) )*(?:${HOW})(?:(?:,? (?:and|und|but|aber) |, )(?:(?:${DEGREE}) )*(?:${HOW}))*`
const SPEAKING =
  'be|sound|get|stay|become|answer(?: me)?|reply|respond|speak|talk|write|sei|bleib|werde?|antworte(?: mir)?|sprich|rede|schreib(?: mir)?|klinge?'
const KEEP = 'keep (?:it|them|this|your (?:answers|replies|messages)|things)|make your (?:answers|replies)'
const SHORT_OF = '(?:fass|fasse) dich'
const ADDRESS =
  '(?:bitte )?(?:sieze|duze|siez|duz) mich|(?:bitte )?(?:per|mit) (?:sie|du)|sprich mich mit (?:sie|du) an'
const END =
  '(?: (?:please|bitte|from now on|ab jetzt|ab sofort|in future|künftig|with me|to me|mit mir|zu mir|in (?:your|deinen) (?:answers|replies|antworten)))*[\\s.!]*$'
const BEGIN =
  '^(?:(?:and|und|but|aber|also|auch) )?(?:(?:please|bitte|can you|could you|kannst du|you (?:can|may|should)|i want you to|from now on|ab jetzt) )*'

const SAID = new RegExp(
  `${BEGIN}(?:(?:${SPEAKING}|${KEEP}|${SHORT_OF}) (?:bitte |please )?(?<how>${MANNER})|(?<address>${ADDRESS}))${END}`,
  'iu',
)
/** A style that follows a clause with a name. */
const BESIDE = new RegExp(
  `${BEGIN}(?:(?:${SPEAKING}|${KEEP}|${SHORT_OF}) )?(?<how>(?:bitte )?${MANNER})${END}`,
  'iu',
)

/** The style in the owner's words; null for any other clause. `beside`: another clause of the message gives a name. */
export function styleIn(clause: string, { beside }: { readonly beside: boolean }): string | null {
  const groups = SAID.exec(clause)?.groups ?? (beside ? BESIDE.exec(clause)?.groups : undefined)
  const how = groups?.['how'] ?? groups?.['address']
  return how === undefined ? null : how.replace(/^(?:bitte|ruhig|mal) /iu, '').trim()
}

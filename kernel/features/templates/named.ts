/**
 * Finds the kinds of request of other people that words name (L-03): by an id, by who asks, by what they ask for, or all. Must
 * not read a message: an operation passes its argument. Called by template-switch.ts.
 */
import type { PrincipalClass } from '../../task/principal.ts'
import type { Template } from '../../template/template.ts'

/** Classes of principals other than the owner. Jobs are not among them: they are stopped by name. */
const OF_OTHERS: readonly PrincipalClass[] = Object.freeze(['paired', 'third_party', 'webhook'])

export function isOfOthers({ principalClass }: Template): boolean {
  return OF_OTHERS.includes(principalClass)
}

/** Words before or after a name that are not part of it. */
const AROUND =
  /^(?:(?:to|for|about|of|nach|um|the|my|me|you|your|any|all|die|der|das|den|dem|meine[nrms]?|mein|alle[ns]?) )+|[ -]?(?:templates?|vorlagen?)$/g

/** Words for who asks. */
const WHO: readonly (readonly [PrincipalClass, RegExp])[] = [
  ['third_party', /^(?:strangers?|unknown (?:people|persons|senders)|fremde[nr]?|unbekannte[nr]?)$/],
  [
    'paired',
    /^(?:friends?|people (?:that |whom |who )?(?:i know|i am paired with|i invited|i have invited)|paired people|freunde?|eingeladene[nr]?(?: leute)?|gekoppelte[nr]?(?: leute)?)$/,
  ],
  ['webhook', /^(?:services?|webhooks?|dienste?)$/],
]
const FREE_TIMES =
  /^(?:free (?:times?|hours|slots)|availability|calendar|times?|appointments?|meetings?|(?:when|whether|if) i(?: am|'m) free|freie[nr]? (?:zeit(?:en)?|termine[n]?)|termine[n]?|kalender|wann ich (?:frei bin|zeit habe))$/
const ANYTHING =
  /^(?:any ?thing|every ?thing|questions?|others?|other people|people|any ?(?:body|one)|every ?(?:body|one)|some ?(?:body|one)|irgend ?(?:etwas|was)|etwas|was|alles|fragen|andere[nr]?|leute|jemand(?:en)?|man)$/

export interface Naming {
  readonly templates: readonly Template[]
  /** Id of the action that reads free times. */
  readonly freeTimes: string
}

/** Empty if no template fits. A template of the owner or of a job matches only by its id. */
export function templatesNamed(said: string, { templates, freeTimes }: Naming): readonly Template[] {
  const byId = said.split(',').map((id) => templates.find((one) => one.id === id.trim()))
  if (byId.every((one) => one !== undefined)) return byId
  const name = plain(said)
  const called = templates.find(({ id }) => plain(id) === name)
  if (called !== undefined) return [called]
  const others = templates.filter(isOfOthers)
  if (ANYTHING.test(name)) return others
  const [who] = WHO.find(([, words]) => words.test(name)) ?? []
  if (who !== undefined) return others.filter(({ principalClass }) => principalClass === who)
  return FREE_TIMES.test(name) ? others.filter(({ tools }) => tools.includes(freeTimes)) : []
}

function plain(said: string): string {
  const words = said
    .toLowerCase()
    .replaceAll('’', "'")
    .replace(/[_\s]+/g, ' ')
    .trim()
  const name = words.replace(AROUND, '').trim()
  return name === '' ? words : name
}

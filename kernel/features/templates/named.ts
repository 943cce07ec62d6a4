/**
 * Which kinds of request of other people words mean (L-03): by an id, by who asks, by what they ask for, or all of them. Must not read a message: an
 * operation hands in its argument. Called by template-switch.ts.
 */
import type { PrincipalClass } from '../../task/principal.ts'
import type { Template } from '../../template/template.ts'

/** Those whose requests are not the owner's own. Jobs are stopped by their name. */
const OF_OTHERS: readonly PrincipalClass[] = Object.freeze(['paired', 'third_party', 'webhook'])

export function isOfOthers({ principalClass }: Template): boolean {
  return OF_OTHERS.includes(principalClass)
}

/** Words before or behind a name that are no part of it. */
const AROUND =
  /^(?:(?:to|for|about|of|nach|um|the|my|me|you|your|any|all|die|der|das|den|dem|meine[nrms]?|mein|alle[ns]?) )+|[ -]?(?:templates?|vorlagen?)$/g

/** Who asks. */
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
  /** Id of the action that tells free times. */
  readonly freeTimes: string
}

/** Empty where nothing is called so. A template of the owner's or of a job is found by its id alone. */
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

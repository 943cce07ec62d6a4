/**
 * Reads the owner's wish to connect a service, remove it, give it another credential, switch it off for a while, or test it
 * (L-02, L-10, L-11): "let's add X", "rotate my X token", "does X work?". Names come from a closed list, the installed tools.
 * Must not act. Called by own-commands.ts and connect-commands.ts.
 */
import { type CredentialNeed, turns } from '../../tool/channel.ts'
import type { NotYet } from '../../tool/manifest.ts'
import type { Registry } from '../../tool/registry.ts'
import { bareSentence } from '../../wording/typed.ts'

export interface ServiceWish {
  readonly wants: 'connect' | 'leave' | 'rotate' | 'off' | 'on' | 'check'
  readonly service: string
}

const BEFORE =
  "(?:(?:please|can you|could you|can we|i want to|i would like to|i'd like to|let's|let us|lets|now) )*"
const BITTE = '(?:(?:bitte|kannst du|könntest du) )*'
const MEIN = '(?:(?:mein|meine|meinen|meinem|der|das|den|die|dem) )?'
const KONTO = '(?:[ -](?:konto|account|zugang|anbindung|integration))?'
const WILL = '(?:bitte )?ich (?:will|möchte|würde gern|würde gerne) '
const SECRET = '(?:api[- ])?(?:token|schlüssel|zugangsschlüssel|key|passwort|zugang|zugangsdaten)'
const AFTER = '(?: (?:account|integration|connection|access))?(?: (?:please|now|again))?'
/** Optional words for how long the wish holds. */
const NOW =
  '(?: (?:for now|for the moment|for a while|for today|temporarily|please|bitte|mal|erst mal|erstmal|vorerst|vorübergehend|again|wieder))*'
const MY = '(?:(?:my|the|our) )?'
const ACCESS = '(?: (?:account|integration|connection|access|token|key|login))?'
const STILL = '(?: (?:still|really|again|now|properly|ok|okay|fine|at all|with you|for me|please|any ?more))*'
const FINE = '(?:working|connected|reachable|up|ok|okay|fine|alive|online|running)'
const NOCH = '(?: (?:noch|wieder|richtig|eigentlich|denn|gerade|jetzt|bei dir|überhaupt|auch))*'
const FORMS: readonly (readonly [ServiceWish['wants'], RegExp])[] = [
  [
    'connect',
    new RegExp(
      `^${BEFORE}(?:add|connect|connect to|set up|integrate|hook up|link|activate) (?:my |the )?(?:(?:real|own|personal|private) )?(.+?)${AFTER}$`,
    ),
  ],
  [
    'leave',
    new RegExp(
      `^${BEFORE}(?:disconnect|remove|unlink|cut off|forget|delete) (?:my |the )?(.+?)(?:(?: (?:token|key|credential|password|login))|${AFTER})$`,
    ),
  ],
  [
    'rotate',
    new RegExp(
      `^${BEFORE}(?:rotate|renew|replace|change|update|refresh) (?:my |the )?(.+?)(?:'s)? (?:api )?(?:token|key|credential|credentials|password|login|access)(?: please)?$`,
    ),
  ],
  // The same with another word order, and in German.
  ['connect', new RegExp(`^${BEFORE}(?:hook|link|set) (?:my |the )?(.+?) up${AFTER}$`)],
  ['connect', new RegExp(`^${BEFORE}use (?:my |the )?(.+?) with (?:you|this)${AFTER}$`)],
  ['connect', new RegExp(`^${BITTE}(?:fügt?|füge|nimm) (?:mal )?${MEIN}(.+?) (?:hinzu|dazu|auf)$`)],
  [
    'connect',
    new RegExp(
      `^${BITTE}(?:verbinde?|verknüpfe?|kopple?)(?: dich)?(?: bitte)?(?: mit)? ${MEIN}(.+?)${KONTO}$`,
    ),
  ],
  [
    'connect',
    new RegExp(`^${BITTE}(?:richte?|binde?|schließe?) (?:bitte )?${MEIN}(.+?)${KONTO} (?:ein|an)$`),
  ],
  [
    'connect',
    new RegExp(
      `^${WILL}${MEIN}(.+?)${KONTO} (?:anbinden|verbinden|verknüpfen|anschließen|einrichten|hinzufügen)$`,
    ),
  ],
  ['leave', new RegExp(`^${BEFORE}take (?:my |the )?(.+?) (?:away|off|out)${AFTER}$`)],
  ['leave', /^i (?:don't|do not|no longer) (?:want|need|use) (?:my |the )?(.+?) (?:any ?more|any longer)$/],
  [
    'leave',
    new RegExp(
      `^${BITTE}(?:entferne?|lösche?|trenne?) (?:bitte )?(?:die (?:verbindung|anbindung) (?:zu|von|mit) |dich von )?${MEIN}(.+?)${KONTO}(?: wieder)?$`,
    ),
  ],
  ['leave', new RegExp(`^${BITTE}(?:nimm|wirf) ${MEIN}(.+?)(?: wieder)? (?:weg|raus|heraus)$`)],
  ['leave', new RegExp(`^ich (?:will|brauche|möchte|nutze) ${MEIN}(.+?) nicht mehr$`)],
  [
    'rotate',
    new RegExp(
      `^${BEFORE}give (?:my |the )?(.+?) (?:a new|another) (?:api )?(?:token|key|credential|password)$`,
    ),
  ],
  [
    'rotate',
    new RegExp(
      `^${BEFORE}(?:a )?(?:new|another) (?:api )?(?:token|key|credential|password) for (?:my |the )?(.+?)$`,
    ),
  ],
  [
    'rotate',
    new RegExp(
      `^${BITTE}(?:erneuere?|rotiere?|ersetze?|wechsle|wechsel|tausche?|ändere?) (?:bitte )?${MEIN}(.+?)[- ]${SECRET}(?: aus)?$`,
    ),
  ],
  [
    'rotate',
    new RegExp(`^${BITTE}(?:gib )?(?:einen? |ein )?(?:neue[rsn]?|andere[rsn]?) ${SECRET} für ${MEIN}(.+?)$`),
  ],
  ['rotate', new RegExp(`^${BITTE}gib ${MEIN}(.+?) (?:einen? |ein )?(?:neue[rsn]?|andere[rsn]?) ${SECRET}$`)],
  ...turns('(?:my |the )?(.+?)').map(
    ([on, way]) => [on ? 'on' : 'off', new RegExp(`^${BEFORE}${way}${NOW}$`)] as const,
  ),
  ['off', new RegExp(`^${BITTE}(?:schalt|schalte|stell|stelle|mach|mache) (.+?)${NOW} (?:ab|aus)${NOW}$`)],
  ['off', new RegExp(`^${BITTE}deaktivier(?:e)? (.+?)${NOW}$`)],
  ['on', new RegExp(`^${BITTE}(?:schalt|schalte|stell|stelle|mach|mache) (.+?)${NOW} (?:ein|an)${NOW}$`)],
  ['on', new RegExp(`^${BITTE}(?:re)?aktivier(?:e)? (.+?)${NOW}$`)],
  ['check', new RegExp(`^does ${MY}(.+?)${ACCESS}${STILL} (?:work|run|respond|answer)${STILL}$`)],
  ['check', new RegExp(`^(?:is|are) ${MY}(.+?)${ACCESS}${STILL} ${FINE}${STILL}$`)],
  ['check', new RegExp(`^${BEFORE}(?:test|try out|probe) ${MY}(.+?)${ACCESS}${STILL}$`)],
  [
    'check',
    new RegExp(
      `^${BEFORE}(?:check|see|find out|tell me) (?:whether|if|that) ${MY}(.+?)${ACCESS}${STILL} (?:works|(?:is|are) ${FINE})${STILL}$`,
    ),
  ],
  [
    'check',
    new RegExp(`^${BEFORE}check ${MY}(.+?) (?:access|connection|integration|token|key|login)${STILL}$`),
  ],
  [
    'check',
    new RegExp(
      `^(?:can you${STILL} (?:reach|access|get into)|do you${STILL} have access to) ${MY}(.+?)${STILL}$`,
    ),
  ],
  ['check', new RegExp(`^(?:geht|gehen|funktionier(?:t|en)|läuft|laufen) ${MEIN}(.+?)${KONTO}${NOCH}$`)],
  [
    'check',
    new RegExp(`^(?:ist|sind) ${MEIN}(.+?)${KONTO}${NOCH} (?:verbunden|erreichbar|ok|okay|in ordnung)$`),
  ],
  ['check', new RegExp(`^${BITTE}teste? (?:mal )?${MEIN}(.+?)${KONTO}${NOCH}$`)],
  [
    'check',
    new RegExp(
      `^${BITTE}(?:prüfe?|schaue?|sieh|teste?)(?: bitte| mal| nach)*,? ob ${MEIN}(.+?)${KONTO}${NOCH} (?:geht|gehen|funktionier(?:t|en)|läuft|laufen)$`,
    ),
  ],
  ['check', new RegExp(`^(?:hast du|kommst du)${NOCH} (?:zugang zu|zugriff auf|an|in) ${MEIN}(.+?)${NOCH}$`)],
]

/** Wishes for a service that cannot be connected yet, by its name or an address there; also in German, and as a question. */
const WANTED = new RegExp(
  `^(?:/connect(?: mail)?|${BEFORE}(?:add|connect mail|connect to|connect|set up|integrate|hook up|link|activate|use)|` +
    '(?:how )?(?:do|can|could|would|will) (?:i|you|we) (?:connect|link|hook up|set up|use|add)(?: to| with)?|(?:bitte )?(?:verbinde|verknüpfe|kopple)(?: dich mit)?|' +
    'wie (?:verbinde|verknüpfe|kopple|kann|könnte|soll) ich|(?:kannst du|kann ich)(?: dich mit)?) ' +
    '(?:(?:my|the|a|mein|meine|meinen|meinem) )?(?:(?:real|own|personal|private|eigene|eigenes|echtes|privates) )?(\\S{1,100}?(?: \\S{1,20}){0,2}?)' +
    '(?:[ -](?:mail|mails|email|mailbox|account|address|calendar|konto|postfach))?(?: (?:please|bitte|now|here|hier|verbinden|verknüpfen|koppeln|nutzen|einrichten|anbinden))?$',
)
/** The same with the verb at the end: "mein Postfach verbinden". */
const WANTED_GERMAN =
  /^(?:(?:bitte|ich (?:will|möchte|würde gern)) )*(?:mein|meine|meinen) (?:(?:eigene|eigenes|echtes|privates) )?(\S{1,100}?(?: \S{1,100})?)(?:[ -](?:konto|postfach))?(?: (?:bitte|hier|mit dir))* (?:verbinden|verknüpfen|anbinden|einrichten)$/
/** "How do I get my mail in here", in the words of somebody who does not know of connections. */
const INTO_HERE =
  /^(?:how (?:do|can|could|would) i get|wie (?:krieg|kriege|bekomm|bekomme|bring|bringe) ich) (?:my|mein|meine|meinen) (\S{1,40}(?: \S{1,40})?) (?:in here|into here|into this|in this|hier rein|hier hinein|hier her|hierher)$/
/** Words before an address: "my mail ada@example.org". */
const BEFORE_ADDRESS = /^(?:\S{1,40} ){1,3}(?=\S+@)/

function isAt({ domains }: NotYet, hosts: readonly string[]): boolean {
  const named = hosts.filter((one) => one !== '')
  return domains === 'any' ? named.length > 0 : named.some((one) => domains.includes(one))
}

/** The sentence about such a service; null for any other message. */
export function notYetIn(words: string, { actions }: Registry): NotYet | null {
  const bare = bareSentence(words)
  const [, said = ''] = WANTED.exec(bare) ?? WANTED_GERMAN.exec(bare) ?? INTO_HERE.exec(bare) ?? []
  const name = said.replace(BEFORE_ADDRESS, '')
  if (name === '') return null
  const [, domain = ''] = /^[^\s@]{1,64}@([a-z0-9-]{1,63})\.[a-z0-9.-]{2,200}$/.exec(name) ?? []
  const host = /^[^\s@]{1,64}@(?:[a-z0-9-]{1,63}\.)+([a-z0-9-]{1,63})\.[a-z]{2,20}$/.exec(name)?.[1] ?? ''
  const all = new Set([...actions.values()].flatMap(({ tool }) => tool.notYet ?? []))
  for (const one of all) if (one.called.includes(name) || isAt(one, [domain, host])) return one
  return null
}

/** Null for any other message, so that "add milk" and "remove the second one" stay requests. */
export function serviceWish(words: string, needs: readonly CredentialNeed[]): ServiceWish | null {
  const text = bareSentence(words)
  for (const [wants, form] of FORMS) {
    const name = form.exec(text)?.[1]
    const isNamed = ({ service, title, called = [] }: CredentialNeed): boolean =>
      name !== undefined && [service, title.toLowerCase(), ...called].includes(name)
    const need =
      needs.find(isNamed) ??
      (wants === 'check' ? needs.find(({ covers = [] }) => covers.includes(name ?? '')) : undefined)
    if (need !== undefined) return { wants, service: need.service }
  }
  return null
}

/**
 * Converts a German clause after "dass" to a main clause: "ich mich verspäte" becomes "ich verspäte mich". Adds and removes no
 * word; if the verb is uncertain, the text stays as typed. Pure. Called by planned.ts and by the reader of reminders.
 */

/** Maximum UTF-16 units: a longer text is more than one clause. */
const LONGEST = 300

/** Infinitives that follow a separable prefix, or precede "und". */
const VERBS =
  'arbeiten bauen bestellen bezahlen bleiben brauchen brechen brennen bringen buchen denken drehen drucken essen fahren fallen fangen finden fliegen fragen führen füllen geben gehen gießen haben halten hängen heben holen hören kaufen kehren kennen klären klingeln kochen kommen kriegen laden lassen laufen legen leihen leiten lernen lesen liegen machen melden messen nehmen packen parken passen planen probieren putzen räumen rechnen reden reisen rufen sagen schaffen schalten schauen schicken schlafen schlagen schließen schneiden schreiben sehen senden setzen sitzen spielen sprechen springen stehen steigen stellen streichen suchen tanken tauschen teilen tragen treffen treten trinken tun wachen warten waschen wechseln wegen weisen werfen wissen ziehen zahlen zeigen'.split(
    ' ',
  )
/** Third person of verbs that change their vowel, and other forms that their endings do not reveal. */
const CHANGED =
  'bricht fährt fällt fängt gibt hält isst lädt lässt läuft liest misst nimmt schläft schlägt sieht spricht trägt trifft tritt wäscht wirft kam kamen ging gingen fuhr fuhren hielt fiel gab nahm rief traf stand'.split(
    ' ',
  )

/** Copulas, auxiliaries and modal verbs by person: at the end of a clause they are always the verb. */
const HELPING = {
  ich: 'bin war wäre habe hab hatte hätte werde würde kann könnte konnte muss müsste musste will wollte möchte soll sollte darf durfte dürfte mag weiß',
  du: 'bist warst wärst hast hattest hättest wirst würdest kannst könntest musst müsstest willst wolltest möchtest sollst solltest darfst magst weißt',
  er: 'ist war wäre hat hatte hätte wird würde kann könnte konnte muss müsste musste will wollte möchte soll sollte darf durfte dürfte mag weiß',
  wir: 'sind waren wären haben hatten hätten werden würden können könnten konnten müssen müssten mussten wollen wollten möchten sollen sollten dürfen durften dürften mögen wissen',
  ihr: 'seid wart habt hattet werdet würdet könnt könntet müsst wollt wolltet möchtet sollt solltet dürft wisst',
} as const
type Person = keyof typeof HELPING

/** Grammatical person of subjects with one word. */
const SUBJECTS: Readonly<Record<string, readonly Person[]>> = {
  ...{
    ich: ['ich'],
    du: ['du'],
    er: ['er'],
    es: ['er'],
    man: ['er'],
    wir: ['wir'],
    ihr: ['ihr'],
    sie: ['er', 'wir'],
  },
  ...{ alles: ['er'], nichts: ['er'], jemand: ['er'], niemand: ['er'], keiner: ['er'], das: ['er'] },
}
const ENDINGS: Readonly<Record<Person, RegExp>> = {
  ich: /\p{L}e$/u,
  du: /\p{L}st$/u,
  er: /\p{L}t$/u,
  wir: /\p{L}(?:en|ern|eln)$/u,
  ihr: /\p{L}t$/u,
}
/** Words with verb endings that are no verbs. */
const NO_VERB = new Set(
  'heute gerne alle ihre seine meine deine unsere eine keine lange ohne beide hause zuhause danke bitte woche minute stunde ende jede diese welche halbe nähe pause reise schule kasse küche adresse sache weile morgen übermorgen gestern neben oben unten hinten innen außen gegen wegen einen meinen deinen seinen keinen ihren den allen minuten stunden wochen tagen zeiten nicht jetzt zeit spät gut fort zuletzt bereit erst selbst meist fast sonst überhaupt acht laut rest post bald recht schlecht kaputt nächst samt'.split(
    ' ',
  ),
)
const DETERMINER =
  /^(?:der|die|das|mein|meine|dein|deine|unser|unsere|ihr|ihre|sein|seine|ein|eine|kein|keine)$/
/** Determiners of plural subjects. */
const SEVERAL = /^(?:die|meine|deine|unsere|ihre|seine|keine)$/
const DATIVES = /^(?:mir|dir|ihm|uns|euch)$/
/** Words after a subject that are not part of it. */
const BEHIND_SUBJECT =
  /^(?:um|am|ab|bis|gegen|heute|morgen|übermorgen|gestern|jetzt|gleich|bald|nicht|noch|schon|erst|leider|auch|wieder|später|früher|nie|immer|doch|mich|mir|dich|dir|ihn|ihm|uns|euch|sich)$/
const COPULA = /^(?:ist|sind|war|waren|wird|werden)$/
/** A further clause after a comma, which stays unchanged. */
const FURTHER =
  /^(?:wenn|weil|da|sobald|falls|obwohl|damit|um|aber|denn|bevor|nachdem|während|solange)(?!\p{L})/iu

/** A main clause after a comma: "heute schaff ich nicht". */
const SENTENCE =
  /^\p{L}+ (?!(?:und|oder|mit|von|zu|für|auf|in|an|um|am|im)(?!\p{L}))\p{Ll}+ (?:ich|du|er|es|wir|ihr)(?!\p{L})/iu

/** A greeting to the recipient after the clause. */
const GREETS =
  /^(?:(?:und |many |vielen |herzlichen |liebe |viele |schöne |beste |mit freundlichen )?(?:danke|dank|bitte|sorry|thanks|thx|please|lg|vg|mfg|gruß|grüße|grüßen|bis)(?!\p{L})|(?:\p{Extended_Pictographic}|[:;]-?[)D(])+$)/iu

const APART =
  /^(zurück|zusammen|weiter|herum|heraus|herunter|hinaus|hinein|vorbei|entgegen|heim|fest|fort|nach|teil|auf|aus|bei|ein|her|hin|los|mit|vor|weg|ab|an|zu)(\p{L}{2,})$/u
/** Words with such prefixes that are not separated. */
const TOGETHER =
  /^(?:antwort|arbeit|abonnier|anker|beicht|hinke|einig|einen?$|anal|annull|zupf|zuck|zahl|zeig|zerr|angel|hinder|heirat|herrsch|begin|vorder|ordn|akzept|anim)/u

/** `text`: without the `dass` itself. */
export function mainClause(text: string): string {
  const [, clause = '', end = ''] = /^([\s\S]*?)([\s.!?]*)$/.exec(text) ?? []
  const closing = end.replaceAll('?', '')
  const comma = clause.indexOf(',')
  const further = comma === -1 ? '' : clause.slice(comma + 1).trim()
  if (
    clause.length > LONGEST ||
    /[;:!?\n]|[.] /.test(clause) ||
    (comma !== -1 && ![FURTHER, GREETS, SENTENCE].some((one) => one.test(further)))
  )
    return `${clause}${closing}`
  const first = comma === -1 ? clause : clause.slice(0, comma)
  const words = first.trim().split(/\s+/)
  const told = joined(words) ?? first
  return `${told}${comma === -1 ? '' : clause.slice(comma)}${closing}`
}

/** One clause, or two with the same subject; null if uncertain. */
function joined(words: readonly string[]): string | null {
  const subject = subjectOf(words)
  if (subject === null) return null
  const { length, persons } = subject
  const head = words.slice(0, length)
  const rest = words.slice(length)
  const at = rest.findIndex(
    (word, index) => /^(?:und|oder)$/i.test(word) && isKnown(rest[index - 1] ?? '', persons),
  )
  if (at === -1) {
    const told = verbFirst(rest, persons)
    return told === null ? null : [...head, ...told].join(' ')
  }
  const [before, behind] = [rest.slice(0, at), rest.slice(at + 1)]
  const isOwn = SUBJECTS[(behind[0] ?? '').toLowerCase()] !== undefined
  const other = isOwn || DETERMINER.test(behind[0] ?? '') ? joined(behind) : null
  const same = isOwn && other !== null ? null : verbFirst(behind, persons)
  // "Und die Zahlen prüfen": the subject is uncertain.
  const second = other === null ? same : same === null ? [other] : null
  const told = verbFirst(before, persons)
  return told === null || second === null ? null : [...head, ...told, rest[at] ?? '', ...second].join(' ')
}

interface Subject {
  /** Number of words. */
  readonly length: number
  readonly persons: readonly Person[]
}

function subjectOf(words: readonly string[]): Subject | null {
  const [first = '', second = '', third = ''] = words.map((word) => word.toLowerCase())
  const last = words.at(-1)?.toLowerCase() ?? ''
  const alone = SUBJECTS[first]
  const isNamed = first === 'das' || first === 'ihr'
  if (alone !== undefined && (!isNamed || words.length === 2 || BEHIND_SUBJECT.test(second)))
    return words.length < 2 ? null : { length: 1, persons: alone }
  // "Mir Freitag passt": the subject comes after the verb.
  if (DATIVES.test(first) && words.length > 2) return { length: 1, persons: ['er', 'wir'] }
  if (!DETERMINER.test(first) || words.length < 3) return null
  const isWhole =
    words.length === 3 || BEHIND_SUBJECT.test(third) || (words.length === 4 && COPULA.test(last))
  if (!isWhole || BEHIND_SUBJECT.test(second)) return null
  return { length: 2, persons: SEVERAL.test(first) ? ['er', 'wir'] : ['er'] }
}

/** Moves the verb from the end to the start, and leaves its prefix at the end. */
function verbFirst(words: readonly string[], persons: readonly Person[]): readonly string[] | null {
  const verb = words.at(-1) ?? ''
  const middle = words.slice(0, -1)
  const isHelping = helps(verb, persons)
  if (
    verb === '' ||
    middle.some((word) => helps(word, ['ich', 'du', 'er', 'wir', 'ihr']) && !/^(?:haben|werden)$/.test(word))
  )
    return null
  if (isHelping) {
    // "Habe machen können": the verb is not the last word.
    return /^(?:haben|werden)$/.test(middle.at(-2) ?? '') ? null : [verb, ...middle]
  }
  if (!isVerb(verb, persons) || middle.some((word) => isKnown(word, persons) && !persons.includes('wir')))
    return null
  if (persons.includes('wir') && middle.some((word) => isKnown(word, persons))) return null
  const [, prefix = '', own = ''] = TOGETHER.test(verb) ? [] : (APART.exec(verb) ?? [])
  if (prefix === '') return [verb, ...middle]
  return isKnown(own, persons) ? [own, ...middle, prefix] : null
}

function helps(word: string, persons: readonly Person[]): boolean {
  return persons.some((person) => HELPING[person].split(' ').includes(word))
}

function isVerb(word: string, persons: readonly Person[]): boolean {
  if (NO_VERB.has(word) || !/^\p{Ll}+$/u.test(word)) return false
  return CHANGED.includes(word) || persons.some((person) => ENDINGS[person].test(word))
}

/** A form of one of those verbs, optionally with a prefix. */
function isKnown(word: string, persons: readonly Person[]): boolean {
  const own = APART.exec(word)?.[2] ?? word
  return [word, own].some(
    (form) =>
      (CHANGED.includes(form) && !persons.includes('ich')) ||
      helps(form, persons) ||
      VERBS.some((verb) => persons.some((person) => formsOf(verb)[person].includes(form))),
  )
}

function formsOf(verb: string): Readonly<Record<Person, readonly string[]>> {
  const stem = verb.replace(/e?n$/, '')
  const soft = /[td]$/.test(stem) ? `${stem}e` : stem
  return { ich: [`${stem}e`], du: [`${soft}st`], er: [`${soft}t`], wir: [verb], ihr: [`${soft}t`] }
}

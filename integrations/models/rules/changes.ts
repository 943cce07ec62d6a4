/**
 * What is said of a card that waits: another time, more people, another name for it ("at 4 instead", "and invite Tom", "title: X"). The
 * plan is the same call with that change, whose card takes the place of the one that waits. Must not read what the card holds but its
 * times. Called by planner.ts.
 */
import type { Json } from '../../../kernel/flow/json.ts'
import type { PromptParts } from '../../../kernel/prompt/parts.ts'
import { editInMessage, readsAsChange } from '../../../kernel/task/edit-words.ts'
import type { Argument, Plan } from '../../../kernel/task/plan.ts'
import type { Moment } from '../../dates/read.ts'
import { DAY, MINUTE } from '../../dates/zone.ts'
import { type MoveReading, readMove } from '../../extractors/message-move.ts'
import { fieldOf, itemsOf, textOf } from './content.ts'
import { momentOf } from './several.ts'
import { call, nothing, ref } from './steps.ts'
import { recipientsOf, unknownPeople } from './whom.ts'

type Steps = Plan['steps'][number]

/** One part of what is said. */
type Change =
  | { readonly is: 'move'; readonly move: MoveReading }
  | { readonly is: 'whole_day' }
  | { readonly is: 'people'; readonly whom: string; readonly as: keyof typeof PEOPLE }
  | { readonly is: 'text'; readonly names: readonly string[]; readonly text: string }

interface Card {
  readonly root: string
  readonly action: string
  readonly fields: Json
  /** Names of the arguments that the action takes. */
  readonly takes: readonly string[]
}

/** Arguments that hold people, by how they are added; the first one that an action has. */
const PEOPLE = {
  invite: ['attendees', 'invite'],
  copy: ['cc', 'also'],
  hidden: ['bcc'],
  to: ['to'],
} as const

/** Arguments that hold a text, by what it is called. */
const TEXTS: readonly (readonly [RegExp, readonly string[]])[] = [
  [/^(?:title|titel|name|call it|name it|rename it(?: to)?|nenne? (?:es|ihn)|heißt)$/iu, ['title']],
  [/^(?:subject|betreff)$/iu, ['subject']],
  [/^(?:place|location|ort)$/iu, ['location']],
]
/** UTF-16 units: a change is short. */
const LONGEST = 300
const MOST_PARTS = 3

const LEAD = /^(?:(?:and|und|also|please|bitte|no|nein|actually|eigentlich|oh|but|aber|then|dann)[,:]? +)+/iu
const TRAIL = /[,]? *(?:(?:instead|please|stattdessen|bitte|lieber|then)[.!]?|[.!]+)$/iu
const BETWEEN = /,? +(?:and|und) +|, */giu

/** Null for a message that says no such thing, or where nothing waits that it could be about. */
export function changePlan(parts: PromptParts): Plan | null {
  const cards = cardsOf(parts)
  const edit = editInMessage(parts.request)
  const said = edit?.text ?? parts.request
  if (cards.length === 0 || said.length > LONGEST) return null
  const changes =
    edit !== null && edit.field !== '' ? fieldChange(edit.field, edit.text) : changesIn(said, momentOf(parts))
  const meant = cards.filter(
    ({ fields }) => edit === null || edit.which === '' || isNumbered(fields, edit.which),
  )
  const plans = changes === null ? [] : meant.map((card) => planOf(card, changes, parts))
  const made = plans.find((plan) => plan !== null) ?? null
  if (made !== null) return made
  return edit !== null || (changes !== null && readsAsChange(said, 'all')) ? nothing('not_changed') : null
}

/** The newest first. */
function cardsOf({ metadata, tools }: PromptParts): readonly Card[] {
  return metadata
    .filter(({ root }) => /^q\d+$/.test(root))
    .toSorted((one, other) => Number(other.root.slice(1)) - Number(one.root.slice(1)))
    .flatMap(({ root, action, fields }) => {
      const card = tools.find(({ id }) => id === action)
      const takes = Object.keys(card?.args ?? {}).map((name) => name.replace(/\?$/, ''))
      return card === undefined ? [] : [{ root, action, fields: fields as Json, takes }]
    })
}

/** Cards of home have odd numbers, and those of the edge even ones. */
function isNumbered(fields: Json, which: string): boolean {
  const number = Number(fieldOf(fields, 'number'))
  return [2 * number - 1, 2 * number].map(String).includes(which)
}

/** "edit to: Mira": what is named takes the place of what is there. */
function fieldChange(field: string, text: string): readonly Change[] | null {
  const as = /^(?:to|an)$/iu.test(field)
    ? 'to'
    : /^cc$/iu.test(field)
      ? 'copy'
      : /^bcc$/iu.test(field)
        ? 'hidden'
        : null
  if (as !== null) return [{ is: 'people', whom: text, as }]
  return textIn(`${field}: ${text}`)
}

function changesIn(said: string, moment: Moment): readonly Change[] | null {
  const text = said.trim().replace(/\s+/g, ' ')
  const whole = oneIn(text, moment)
  if (whole !== null) return whole
  for (const { index, 0: mark } of text.matchAll(BETWEEN)) {
    const first = oneIn(text.slice(0, index), moment)
    const others = first === null ? null : changesIn(text.slice(index + mark.length), moment)
    if (first !== null && others !== null && first.length + others.length <= MOST_PARTS)
      return [...first, ...others]
  }
  return null
}

function oneIn(said: string, moment: Moment): readonly Change[] | null {
  const isInstead = /(?:instead|stattdessen|lieber)[.!]?$|^(?:lieber|stattdessen) /iu.test(said)
  const text = bare(said)
  if (text === '') return null
  if (
    /^(?:(?:make (?:it|that) )?(?:all|the whole) day|(?:mach(?:e)? es )?(?:ganztägig|den ganzen tag))$/iu.test(
      text,
    )
  )
    return [{ is: 'whole_day' }]
  const move = moveIn(text, isInstead, moment)
  if (move !== null) return [{ is: 'move', move }]
  return peopleIn(text) ?? textIn(text)
}

function bare(said: string): string {
  const text = said
    .trim()
    .replace(LEAD, '')
    .replace(/^(?:lieber|stattdessen) /iu, '')
  const left = text.replace(TRAIL, '')
  return left === text ? text : bare(left)
}

const LENGTHS: Readonly<Record<string, string>> = {
  ...{ später: 'later', nach_hinten: 'later', früher: 'earlier', länger: 'longer', kürzer: 'shorter' },
}
const LATER =
  /^(?:(?:make|move|push|shift|start) (?:it|that) |(?:verschieb|mach|leg)e? (?:es|ihn|das|den termin) )?(?:by |um )?(?<length>\S.{0,30}?) (?<how>later|earlier|sooner|longer|shorter|später|früher|länger|kürzer)$/iu
const MAKE =
  /^(?:(?:make|set|move|change|push|reschedule) (?:it|that)(?: (?:to|at|for|on))?|(?:verschieb|verleg|leg|schieb)e? (?:es|ihn|das|den termin) (?:auf|nach)|mach(?:e)? (?:es|daraus)(?: (?:um|auf))?) (?<when>\S.{0,50})$/iu
const AT = /^(?:at|to|on|for|um|auf|am) (?<when>\S.{0,50})$/iu

/** A new time, of what the card is about. */
function moveIn(text: string, isInstead: boolean, moment: Moment): MoveReading | null {
  const { length, how } = LATER.exec(text)?.groups ?? {}
  if (length !== undefined && how !== undefined) {
    const word = LENGTHS[how.toLowerCase()] ?? how
    return ofCard(
      readMove(
        `make it ${length.replace(/viertelstunde/iu, '15 minuten').replace(/^eine 15/iu, '15')} ${word}`,
        moment,
      ),
    )
  }
  const when =
    MAKE.exec(text)?.groups?.['when'] ??
    AT.exec(text)?.groups?.['when'] ??
    (isInstead || CLOCK.test(text) ? text : undefined)
  if (when === undefined) return null
  const time = when.replace(/^(?:at|um|on|am) /iu, '')
  return (
    ofCard(readMove(`move it to ${time}`, moment)) ?? ofCard(readMove(`verschiebe es auf ${time}`, moment))
  )
}

const CLOCK = /^\d{1,2}(?:[:.]\d\d)?(?: ?[ap]\.?m\.?| uhr(?: \d\d)?)$|^\d{1,2}:\d\d$/iu

function ofCard(read: MoveReading | null): MoveReading | null {
  return read !== null && read.topic === null && read.at === null ? read : null
}

const GUESTS: readonly RegExp[] = [
  /^(?:invite|inviting|ask|bring) (?<whom>\S.{0,80}?)(?: (?:too|as well|along))?$/iu,
  /^(?:lade?|lad) (?<whom>\S.{0,80}?)(?: (?:auch|noch|dazu))* ein$/iu,
  /^(?:add )?(?<whom>\S.{0,60}?) (?:too|as well|as a guest)$/iu,
  /^(?<whom>\S.{0,60}?) auch$/iu,
]
const COPIES: readonly RegExp[] = [
  /^(?:(?:add|put) )?(?:an? )?(?<how>b?cc)(?: (?:to|for|an|auf))? (?<whom>\S.{0,80})$/iu,
  /^(?:add|put|take|setze?|nimm) (?<whom>\S.{0,80}?) (?:in|into|on|to|as|auf|ins?) (?:the )?(?:an? )?(?<how>b?cc|kopie)(?: (?:too|as well))?$/iu,
  /^(?:with (?:a )?copy to|(?:send )?a copy to|(?:mit )?kopie an) (?<whom>\S.{0,80})$/iu,
]

function peopleIn(text: string): readonly Change[] | null {
  for (const pattern of COPIES) {
    const { whom, how = 'cc' } = pattern.exec(text)?.groups ?? {}
    if (whom !== undefined) return [{ is: 'people', whom, as: /^bcc$/iu.test(how) ? 'hidden' : 'copy' }]
  }
  for (const pattern of GUESTS) {
    const whom = pattern.exec(text)?.groups?.['whom']
    // "Invite Tom to the walk" is about a thing of its own.
    if (whom !== undefined && !/(?:^|\s)(?:to|zum|zur|zu)(?:\s|$)/iu.test(whom))
      return [{ is: 'people', whom, as: 'invite' }]
  }
  return null
}

const NAMED =
  /^(?:(?:the |der |den )?(?<name>title|titel|name|subject|betreff|place|location|ort)(?: ?: ?| (?:is|to|should be|ist|soll) )|(?<alike>title|titel|subject|betreff|call it|name it|rename it to|rename it|nenne? (?:es|ihn)) )(?<text>\S.*)$/iu

function textIn(said: string): readonly Change[] | null {
  const { name, alike, text } = NAMED.exec(said)?.groups ?? {}
  const called = name ?? alike ?? ''
  const names = TEXTS.find(([pattern]) => pattern.test(called))?.[1]
  return text === undefined || names === undefined ? null : [{ is: 'text', names, text }]
}

/** The call that waits, with these changes; null where it has nothing of the kind. */
function planOf(card: Card, changes: readonly Change[], parts: PromptParts): Plan | null {
  const args: Record<string, Argument> = Object.fromEntries(
    Object.keys(card.fields as object)
      .filter((name) => card.takes.includes(name))
      .map((name) => [name, ref(`${card.root}.${name}`)]),
  )
  const before: Steps[] = []
  for (const change of changes) {
    const made = changed(card, change, { parts, args, before })
    if (made === 'none') return null
    if (typeof made === 'string') return nothing(made)
  }
  // Of what a stranger's text decided, a planner is not shown everything: then nothing of it can be kept.
  const needed = Object.keys(parts.tools.find(({ id }) => id === card.action)?.args ?? {})
  if (needed.some((name) => !name.endsWith('?') && !Object.hasOwn(args, name))) return nothing('not_changed')
  return { steps: [...before, call(`s${before.length + 1}`, card.action, args)], explanation: '' }
}

interface Making {
  readonly parts: PromptParts
  readonly args: Record<string, Argument>
  readonly before: Steps[]
}

/** Null once it is made; else why not, or `none` for a call that has nothing of the kind. */
function changed(card: Card, change: Change, making: Making): string | null {
  const { parts, args, before } = making
  switch (change.is) {
    case 'text': {
      const name = change.names.find((one) => card.takes.includes(one))
      const at = parts.request.lastIndexOf(change.text)
      if (name === undefined || at < 0) return 'none'
      // Where it stands in the message, so that it stays the owner's own words.
      args[name] = ref(`said.words[${at}][${at + change.text.length}]`)
      return null
    }
    case 'people':
      return withPeople(card, change, making)
    default: {
      const shifts = shiftsOf(card, change, momentOf(parts))
      if (shifts === null) return 'none'
      for (const [name, minutes] of shifts) {
        const id = `s${before.length + 1}`
        const of = [ref(`${card.root}.${name}`), minutes]
        before.push({ id, do: 'compute', op: 'shift', unit: 'minutes', of } as unknown as Steps)
        args[name] = ref(id)
      }
      return null
    }
  }
}

function withPeople(
  card: Card,
  { whom, as }: Extract<Change, { is: 'people' }>,
  { parts, args, before }: Making,
): string | null {
  const name = PEOPLE[as].find((one) => card.takes.includes(one))
  if (name === undefined) return 'none'
  const known = recipientsOf(whom, parts)
  if (known === null) return unknownPeople(whom) === 'contact_unknown' ? 'nobody_to_add' : 'not_changed'
  // Of a name that fits several, the choice is the first step.
  if (known.before.length > 0 && before.length > 0) return 'not_changed'
  before.push(...known.before)
  const kind = parts.tools.find(({ id }) => id === card.action)?.args
  const isList = (kind?.[name] ?? kind?.[`${name}?`] ?? '').startsWith('list')
  const former =
    as === 'to'
      ? []
      : itemsOf(fieldOf(card.fields, name), 'items').map((_, at) => ref(`${card.root}.${name}[${at}]`))
  if (!isList && known.to.length !== 1) return 'not_changed'
  args[name] = isList ? [...former, ...(known.to as Argument[])] : (known.to[0] as Argument)
  return null
}

/** By how many minutes each time of the call moves; null where it has none that could. */
function shiftsOf(
  { fields, takes }: Card,
  change: Extract<Change, { is: 'move' | 'whole_day' }>,
  { zone }: Moment,
): readonly (readonly [string, number])[] | null {
  const times = ['from', 'to', 'at', 'due'].flatMap((name) => {
    const at = takes.includes(name) ? Date.parse(textOf(fields, name)) : Number.NaN
    return Number.isNaN(at) ? [] : [{ name, at }]
  })
  const [start] = times
  const end = times.find(({ name }) => name === 'to')
  if (start === undefined) return null
  const minutes = (to: number, at: number): number => Math.round((to - at) / MINUTE)
  if (change.is === 'whole_day') {
    if (start.name !== 'from' || end === undefined) return null
    const day = zone.dayOf(start.at)
    return [
      ['from', minutes(zone.instantOf(day, 0), start.at)],
      ['to', minutes(zone.instantOf(day + 1, 0), end.at)],
    ]
  }
  const { move, by, newTime } = change.move
  if (move === 'length') return end === undefined || by === null ? null : [['to', by]]
  if (start.name === 'to') return null
  const to = movedTo(start.at, { move, by, newTime }, zone)
  if (to === null) return null
  return times.map(({ name }) => [name, minutes(to, start.at)] as const)
}

function movedTo(
  at: number,
  { move, by, newTime }: Pick<MoveReading, 'move' | 'by' | 'newTime'>,
  zone: Moment['zone'],
): number | null {
  const wall = zone.wallOf(at)
  const on = (moved: number): number =>
    zone.instantOf(Math.floor(moved / DAY), Math.floor((((moved % DAY) + DAY) % DAY) / MINUTE))
  if (move === 'shift') return by === null ? null : at + by * MINUTE
  if (move === 'days') return by === null ? null : on(wall + by * DAY)
  if (newTime === null) return null
  const said = zone.wallOf(newTime)
  const [day, time] = [Math.floor(wall / DAY) * DAY, wall % DAY]
  const saidDay = Math.floor(said / DAY) * DAY
  if (move === 'day') return on(saidDay + time)
  const isHalf = move === 'half' || move === 'both_half'
  const base = move === 'both' || move === 'both_half' ? saidDay : day
  // Of a time without its half of the day, the one that is nearer to what it was.
  const halves = isHalf ? [said % DAY, (said % DAY) + DAY / 2].map((one) => one % DAY) : [said % DAY]
  const [near = said % DAY] = halves.toSorted((one, other) => Math.abs(one - time) - Math.abs(other - time))
  return on(base + near)
}

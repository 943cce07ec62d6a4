/**
 * Rewrites a request as a plain sentence: a form of its action, filled with its parts. Null if a part has no
 * place, so that nothing is dropped. Pure. Must not plan. Called by by-parts.ts.
 */
import type { Language } from '../../../../kernel/wording/languages.ts'
import { type Moment, readDates } from '../../../dates/read.ts'
import type { TaggedPart } from '../../../extractors/learned/parts.ts'
import type { PartName } from '../../../extractors/learned/tags.ts'
import { namedWords } from '../../../extractors/message/message-seek.ts'
import type { Form } from '../../../tools/form.ts'
import { formOf } from './forms.ts'
import { plainTime, wholeDayIn } from './times.ts'

export interface Plain {
  readonly form: Form
  readonly requests: readonly string[]
  /** Arguments that take the place of those of the last call, where the form has another one's. */
  readonly args: Readonly<Record<string, string>> | null
}

interface Told {
  /** The request as typed. */
  readonly text: string
  readonly language: Language
  readonly moment: Moment
}

export function plainOf(form: Form, parts: readonly TaggedPart[], told: Told): Plain | null {
  if (form.readsWholeMessage === true) {
    const request = looked(form, parts, told)
    if (request !== null) return { form, requests: [request], args: null }
    return form.otherwise?.asksBy?.test(told.text) === true ? plainOf(form.otherwise, parts, told) : null
  }
  const { each, ignoredParts = [] } = form
  const own = parts.filter(({ part }) => !ignoredParts.includes(part))
  const other = insteadOf(form, own, told)
  if (other !== null) return other
  const things = each === undefined ? [] : own.filter(({ part }) => part === each)
  const others = own.filter(({ part }) => part !== each)
  const byWords = Object.entries(form.by ?? {}).map(
    ([place, all]) => [place, onlyOne(all.filter(([words]) => words.test(told.text)))] as const,
  )
  if (byWords.some(([, word]) => word === '')) return null
  const says = form.says[told.language].map((sentence) =>
    byWords.reduce((text, [place, word]) => text.replaceAll(`{${place}}`, word), sentence),
  )
  const groups = things.length > 1 ? things.map((one) => [...others, one]) : [own]
  const requests = groups.map((group) => filled(says, group, told))
  return requests.every((one) => one !== null) ? { form, requests, args: null } : null
}

/** Words for two of them say neither. */
function onlyOne(all: readonly (readonly [words: RegExp, said: string])[]): string {
  return all.length === 1 ? (all[0]?.[1] ?? '') : ''
}

/**
 * What is only looked up may say more than its form has places for; the first form is taken of which all are
 * there.
 */
function looked({ says, shapes = {} }: Form, parts: readonly TaggedPart[], told: Told): string | null {
  const { text, moment, language } = told
  const texts = new Map<string, string>([
    ...parts.flatMap((one): [string, string][] => (one.part === 'when' ? [] : [[one.part, said(one)]])),
    ['when', datesIn(text, moment)],
    ['named', namedWords(text).join(' ')],
    ['whole', text.trim().replace(/[?!.\s]+$/, '')],
    ...Object.entries(shapes).map(([name, pattern]): [string, string] => [name, shapedIn(text, pattern)]),
  ])
  const form = says[language].find((one) =>
    [...one.matchAll(PLACE)].every(([, name = '']) => texts.get(name)),
  )
  return form?.replace(PLACE, (_, name: string) => texts.get(name) ?? '') ?? null
}

/** What a pattern fits, between other words; empty where that are none or several. */
function shapedIn(text: string, pattern: string): string {
  const found = text.match(new RegExp(`(?<![\\p{L}\\p{N}_/#.:-])(?:${pattern})(?![\\p{L}\\p{N}_/#-])`, 'giu'))
  const [only = '', ...more] = new Set(found)
  return more.length > 0 ? '' : only
}

/** The words of a text that are times. */
function datesIn(text: string, moment: Moment): string {
  const { rest, span } = readDates(text, moment)
  if (span === null) return ''
  const read = [...text].map((sign, at) => (rest[at] === ' ' ? sign : ' ')).join('')
  // "Since Friday" is the last one.
  const from = /(?<!\p{L})(since|seit)\s+$/iu.exec(text.slice(0, read.search(/\S/)))?.[1] ?? ''
  return `${from} ${read}`.replace(/\s+/g, ' ').trim()
}

/** "The seminar is in B214 now": found as if it were to be cancelled, and then changed. */
function insteadOf(form: Form, parts: readonly TaggedPart[], told: Told): Plain | null {
  const { of = '', takes = {} } = form.instead ?? {}
  const taken = parts.filter(({ part }) => takes[part] !== undefined)
  const others = parts.filter(({ part }) => takes[part] === undefined)
  if (taken.length === 0 || others.some(({ part }) => part === 'when' || part === 'by')) return null
  const other = formOf(of)
  const found = other === null ? null : plainOf(other, others, told)
  const args = Object.fromEntries(taken.map(({ part, text }) => [takes[part] ?? '', text]))
  return found && { form, requests: found.requests, args }
}

/** A time has its own word before it. */
const UNTIL_AT = /(?<!\p{L})until (?:at|on|um|am|till?|until|bis) /iu
const PLACE = /\{(\w+)\}/g
/** Before a thing: no part of its name. */
const ARTICLE =
  /^(?:(?:the|my|our|a|an|der|die|das|den|dem|ein|eine|einen|mein|meine|meinen|unser|unsere)\s+)+(?=\S)/iu
const NO =
  /^(?:no|nope|nein|not|decline|reject|can['’]?t|cannot|won['’]?t|ab|absagen|ablehnen|sag\p{L}* ab|lehn\p{L}*)(?!\p{L})|(?<!\p{L})(?:not|nicht|can['’]?t|won['’]?t|unable|sorry|decline|absagen|ab|kein\p{L}*)(?!\p{L})/iu
const MAYBE =
  /(?<!\p{L})(?:maybe|perhaps|tentative\p{L}*|might|vielleicht|eventuell|unter vorbehalt)(?!\p{L})/iu

function said({ part, text }: TaggedPart): string {
  if (part === 'when' || part === 'old') return plainTime(text)
  if (part === 'long') return text.replace(/^(?:for|für)\s+/iu, '')
  if (part === 'answer') return MAYBE.test(text) ? 'tentatively accept' : NO.test(text) ? 'decline' : 'accept'
  return part === 'who' || part === 'from' || part === 'where' ? text.replace(ARTICLE, '') : text
}

function filled(forms: readonly string[], parts: readonly TaggedPart[], told: Told): string | null {
  const texts = new Map<PartName, string>()
  for (const one of parts) {
    const before = texts.get(one.part)
    const own = said(one)
    const between = one.part === 'who' ? (told.language === 'de' ? ' und ' : ' and ') : ' '
    texts.set(one.part, before === undefined ? own : `${before}${between}${own}`)
  }
  const { day, isWhole } = wholeDayIn(`${texts.get('when') ?? ''} ${texts.get('long') ?? ''}`)
  if (isWhole) {
    texts.set('when', `${day} all day`)
    texts.delete('long')
  }
  for (const form of forms) {
    const whole = form.replace(/\[([^\]]+)\]/g, (_, may: string) =>
      [...may.matchAll(PLACE)].every(([, name]) => texts.has(name as PartName)) ? may : '',
    )
    const places = [...whole.matchAll(PLACE)].map(([, name]) => name as PartName)
    if (places.length !== texts.size || !places.every((name) => texts.has(name))) continue
    return whole
      .replace(PLACE, (_, name: string) => texts.get(name as PartName) ?? '')
      .replace(UNTIL_AT, 'until ')
  }
  return null
}

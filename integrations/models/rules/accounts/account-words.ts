/**
 * Finds which of several accounts a request names: "my work mail", "on the private account", "meine Arbeitsmails", by the owner's own names and the domains of
 * their addresses. What stands behind a colon, in quotation marks or behind "about" is no place to look. Pure; must not plan. Called by named-account.ts.
 */
import type { NamedValues } from '../../../../kernel/tool/manifest.ts'

/** What people say for one and the same kind of account, in the languages that owners write; stems before endings. */
const KINDS: readonly (readonly string[])[] = [
  'work office job business company corporate professional arbeit arbeits büro firma firmen dienst dienstlich geschäft geschäfts geschäftlich beruf berufs beruflich',
  'private personal home privat persönlich',
  'school uni university college student schule schul hochschule studium studi',
  'club verein vereins',
].map((words) => words.split(' '))

/** Endings of a German adjective. */
const ADJECTIVE = '(?:e[nmrs]?)?'
const PLACES =
  'in|on|at|from|to|into|of|via|with|using|through|in|im|auf|am|an|von|vom|aus|bei|beim|mit|über|per|zu|zum|unter'
const OWN =
  'my|our|the|mein|meine|meinen|meinem|meiner|meines|unser\\p{L}*|das|dem|den|der|die|des|ein|dein\\p{L}*'
const NEW =
  'new|unread|latest|last|newest|recent|other|neue[nrs]?|ungelesene[nrs]?|letzte[nrms]?|neueste[nrms]?|andere[nrms]?'
/** Where mail is, and stays in the sentence. */
const MAIL = 'e-?mails?|mails?|inbox|mailbox|postfach|posteingang|nachrichten|messages'
/** What only an account is. */
const ACCOUNT = '(?:e-?mail[- ]?|mail[- ]?)?(?:accounts?|addresse?s?|konto|kontos|adresse|mailbox)'
const WAYS = {
  from: /^(?:from|via|with|using|von|vom|mit|über|per)$/iu,
  to: /^(?:to|into|an|zu|zum)$/iu,
} as const
/** What it is about, and no place. */
const ABOUT =
  /(?<!\p{L})(?:about|regarding|concerning|re|for|called|named|titled|saying|that|wegen|über|namens|betreff|thema|dass|daß|nach)(?: (?:my|our|the|mein\p{L}*|das|dem|den|die|der))?\s*$/iu
const QUOTES = /["“„«]/u

export interface SaidAccount {
  /** As the argument has it. */
  readonly name: string
  /** As typed, without what stands around it. */
  readonly said: string
  /** `from`: to be sent from it, perhaps; `to`: what is sent there; `in`: where mail is. */
  readonly way: 'from' | 'to' | 'in'
  /** Of the account alone, such as "account" or "address"; false for a word of the mail in it. */
  readonly isAccount: boolean
  /** What is left, in the order in which it is tried; `at`: where the words were. */
  readonly rests: readonly {
    readonly text: string
    readonly at: number
    readonly cut: number
    readonly put: string
    /** At the end, behind a comma: from where, and no part of a text before it. */
    readonly isApart: boolean
  }[]
}

/** Null for none, and for several: then it is not clear which is meant. */
export function accountIn(request: string, { names }: NamedValues): SaidAccount | null {
  const found = names.flatMap(({ name, called }) => {
    const said = saidIn(request, wordsFor(name, called))
    return said === null ? [] : [{ name, ...said }]
  })
  const [only, ...others] = found
  return only === undefined || others.length > 0 ? null : only
}

/** The name, what of its address names it, and the other words for its kind. */
function wordsFor(name: string, called: readonly string[]): readonly string[] {
  const own = [name, ...called].map((one) => one.toLowerCase())
  const kinds = KINDS.filter((kind) => kind.some((word) => own.some((one) => isAlike(one, word))))
  return [...new Set([...own, ...kinds.flat()])].sort((one, other) => other.length - one.length)
}

function isAlike(one: string, other: string): boolean {
  return spelled(one) === spelled(other)
}

function spelled(word: string): string {
  return word.replaceAll('ä', 'ae').replaceAll('ö', 'oe').replaceAll('ü', 'ue').replaceAll('ß', 'ss')
}

function saidIn(request: string, words: readonly string[]): Omit<SaidAccount, 'name'> | null {
  const forms = words.flatMap((word) => [...new Set([word, spelled(word)])]).map(patternOf)
  const name = `(?<name>${forms.join('|')})`
  const begins = '(?<![\\p{L}\\p{N}@.-])'
  const ends = '(?![\\p{L}\\p{N}@-]|\\.\\p{L})'
  const found = new RegExp(
    `${begins}(?:(?<place>${PLACES})\\s+)?(?:(?<own>${OWN})\\s+)?(?<new>(?:(?:${NEW})\\s+)*)(?:${name}${ADJECTIVE}(?<gap>[\\s-]*))(?:(?<account>${ACCOUNT})|(?<mail>${MAIL}))${ends}`,
    'iu',
  ).exec(request)
  if (found?.groups === undefined) return null
  const { index: at, groups } = found
  const { place = '', account, name: said = '', new: fresh = '' } = groups
  const before = request.slice(0, at)
  const isPart = isCompound(said, groups['gap'] ?? '') || /[\s-]/u.test(groups['gap'] ?? '')
  if (!isPart || /:\s|:$/u.test(before) || QUOTES.test(before) || ABOUT.test(before)) return null
  const whole = found[0]
  const behind = request.slice(at + whole.length)
  const isApart = WAYS.from.test(place) && /,\s*$/u.test(before) && /^[\s.!]*$/u.test(behind)
  const cut = (put: string) => {
    const text = `${before}${put}${put === '' ? behind.replace(/^\s+/u, before === '' || /\s$/u.test(before) ? '' : ' ') : behind}`
    const kept = isApart && put === '' ? text.replace(/[\s,.!]+$/u, '') : text.trimEnd()
    return { text: kept, at, cut: request.length - text.length, put, isApart }
  }
  const named = whole.replace(new RegExp(`${name}${ADJECTIVE}[\\s-]*(?=(?:${ACCOUNT}|${MAIL})$)`, 'iu'), '')
  const isAccount = account !== undefined
  const mails = isAccount ? `${named.slice(0, named.length - account.length)}mail` : named
  const short = mails.replace(/^(?:in|auf) (?:meinem|dem) (?=p)/iu, 'im ')
  const all = [cut(mails), ...(short === mails ? [] : [cut(short)])]
  const isFromIt = isAccount && WAYS.from.test(place) && fresh === ''
  return {
    ...{ said: said.toLowerCase(), isAccount },
    way: isFromIt ? 'from' : WAYS.to.test(place) ? 'to' : 'in',
    rests: place === '' || fresh !== '' ? all : isAccount ? [cut(''), ...all] : [...all, cut('')],
  }
}

/** "Arbeitsmails", in one word: only of a German stem, which never stands alone for the account. */
function isCompound(said: string, gap: string): boolean {
  return gap === '' && KINDS.flat().some((word) => isAlike(word, said.toLowerCase()))
}

function patternOf(word: string): string {
  return word.replace(/[\\^$.*+?()[\]{}|/]/g, '\\$&').replaceAll('-', '[\\s-]')
}

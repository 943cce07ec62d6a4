/**
 * Applies every guard rule in turn to one stretch of an answer. Each rule sees the previous rule's output, and none removes
 * text without a mark, so that two removals cannot join into something a third rule would have removed. Pure and linear. Called
 * by stream.ts, which determines the stretches.
 */
import type { Json } from '../../flow/json.ts'
import { tell } from '../words.ts'
import { type Allowed, allowedAddresses, guardAddresses } from './addresses.ts'
import { draftStart, removeClaims } from './claims.ts'
import { type DeedRecord, knowing } from './deeds.ts'
import { type OwnNames, removeMarker, removeNames, removePromptLines, runsIn } from './names.ts'
import type { KnownSecrets } from './needles.ts'
import type { Known } from './particulars.ts'
import { plainText } from './plain.ts'
import { scrubSecrets } from './secrets.ts'
import { isQuotation, type Others, othersOf, sentencesOf } from './sentences.ts'
import { replaceSpans, type Span } from './spans.ts'

/** The context in which an answer is checked. */
export interface GuardContext {
  /** Everything that the writer read: its addresses are allowed, its names may be repeated. */
  readonly read: readonly Json[]
  /** The part of `read` that others than the person wrote. Its sentences are attributed to them. */
  readonly others: readonly Json[]
  /** Ids of the writes that ran. Read only if there is a claim. */
  readonly done: () => readonly string[]
  /** Ids of the writes of this task that did not run. */
  readonly failed: () => readonly string[]
  /** The results of the writes that ran. Without it a claim is judged by its kind alone. */
  readonly record?: DeedRecord
  readonly known: KnownSecrets
  readonly own: OwnNames
  /** Code wrote the text from the results, so it makes no claims of its own. */
  readonly byCode?: boolean
}

/** The context prepared for one answer. Each part is computed on first use. */
interface Judge {
  readonly done: () => readonly string[]
  readonly failed: () => readonly string[]
  readonly known: KnownSecrets
  readonly own: OwnNames
  readonly hasRead: boolean
  readonly addresses: Allowed
  readonly others: Others
  readonly isRead: (name: string) => boolean
  readonly knownOf: (actions: readonly string[]) => Known | null
  readonly knownToAll: () => Known
  readonly hadPeople: (action: string) => boolean
  readonly runs: () => ReadonlySet<string>
  readonly byCode: boolean
}

export function createJudge(context: GuardContext): Judge {
  const { read, others, done, failed, record, known, own, byCode = false } = context
  let texts: readonly string[] | null = null
  let runs: ReadonlySet<string> | null = null
  const inputs = (): readonly string[] => {
    texts ??= read.flatMap(stringsIn)
    return texts
  }
  return {
    ...{ done, failed, known, own, byCode, hasRead: others.length > 0 },
    addresses: allowedAddresses(inputs),
    others: othersOf(() => others.flatMap(stringsIn)),
    isRead: (name) => inputs().some((input) => input.includes(name)),
    ...knowing(record, { read, others }),
    runs() {
      runs ??= runsIn(inputs())
      return runs
    },
  }
}

function stringsIn(value: Json): readonly string[] {
  if (typeof value === 'string') return [value]
  return typeof value === 'object' && value !== null ? Object.values(value).flatMap(stringsIn) : []
}

interface Guarded {
  readonly text: string
  /** Whether a draft for the person's own use follows. */
  readonly drafting: boolean
}

export function guardUnit(raw: string, judge: Judge, drafting: boolean): Guarded {
  const { known, own, addresses } = judge
  const plain = removeMarker(scrubSecrets(plainText(raw), known), own)
  const named = removeNames(removePromptLines(plain, own, judge.runs), own, judge.isRead)
  const voiced = ownVoice(named, judge, drafting)
  const linked = guardAddresses(showTargets(voiced), addresses)
  const text = tidy(unmask(breakMarkup(linked, addresses)))
  return { text, drafting: drafting || draftStart(plain) < plain.length }
}

function ownVoice(text: string, judge: Judge, drafting: boolean): string {
  const draftIn = (one: string): number => (drafting ? 0 : draftStart(one))
  const kept = keepIdentity(text, judge.others, { name: judge.own.name, draft: draftIn(text) })
  return judge.byCode ? kept : removeClaims(kept, judge, draftIn(kept))
}

/** No spaces at line ends, at most one blank line: inside a stretch it looks the same as between two. */
function tidy(text: string): string {
  const lines = text.split('\n').map((line) => line.trimEnd())
  return lines
    .join('\n')
    .replace(/\n{3,}/g, '\n\n')
    .trimEnd()
}

/** Sentence placed after lines that imitate a kernel question. */
export function noQuestion(): string {
  return tell('wording.no_question')
}

/** Beginnings of kernel lines, after decorative characters. */
const DRESS = /^[\s\p{P}\p{S}]*/u
const BEGINNINGS =
  /^(?:may i do this\b|i ask (?:because|before)\b|nothing has been done yet\b|answer yes or no\b|no approval is waiting\b|connected again\b|the connection to [a-z ]{1,20} is lost\b|your home box does not answer\b|shall i answer without your private data\b|(?:approval|permission|confirmation) (?:required|needed|request(?:ed)?)\b|(?:approve|allow|confirm|authori[sz]e)\s?[?:/(]|(?:home|edge) · (?:public|internal|sensitive|regulated|secret)\b|\d{1,4}\. [^\n]{1,240} · (?:\d{1,4} min left|noch \d{1,4} min)$|darf ich das tun\b|ich frage, (?:weil|bevor)\b|(?:pfar|system|kernel|security)\s?[:>]|\[?(?:system|kernel|security|admin) (?:message|notice|alert|prompt)\b)/iu
/** Instructions on how to approve something. Only a card may ask for that. */
const ASKS_FOR_YES =
  /\bpfar\s{1,3}(?:approve|deny|grants?)\b|\b(?:answer|reply|respond|type|write|say|send|press|tap|click|hit|enter)\s{1,3}(?:back\s{1,3})?(?:with\s{1,3}|on\s{1,3})?[`"'“*_(/ ]{0,4}(?:yes|y|ok|okay|approve[d]?|confirm|allow)\b[^\n]{0,40}\b(?:to|and|if|for|or)\b|\bapprove\s{1,3}(?:with|by|via|here)\b/i

/** Box-drawing and block characters. A table with plain characters instead stays readable. */
const DRAWING = /[\u2500-\u259f]/g
const LEVEL = '─━┄┅┈┉╌╍═╴╶╸╺╼╾▀▁▂▃▄▔'
const UPRIGHT = '│┃┆┇┊┋╎╏║╵╷╹╻╽╿▌▐▏▕█'

function unmask(text: string): string {
  const plain = text.replace(DRAWING, (sign) =>
    LEVEL.includes(sign) ? '-' : UPRIGHT.includes(sign) ? '|' : '+',
  )
  let marked = 0
  const lines = plain.split('\n').map((line) => {
    if (!isImitation(line)) return line
    marked += 1
    return `| ${line}`
  })
  return marked === 0 ? plain : [...lines, noQuestion()].join('\n')
}

/** A line that is already marked is a quotation. */
function isImitation(line: string): boolean {
  if (/^\s*[>|]/.test(line)) return false
  const bare = line.slice(DRESS.exec(line)?.[0].length ?? 0)
  return BEGINNINGS.test(bare) || ASKS_FOR_YES.test(line)
}

/** A complete inline link or image with a web address. Bounded, so that many brackets cost linear time. */
const INLINE =
  /!?\[([^[\]\n]{0,300})\]\([ \t\n]{0,3}<?(https?:[^\s()<>]{1,2048})>?(?:[ \t\n]{1,3}(?:"[^"\n]{0,300}"|'[^'\n]{0,300}'))?[ \t\n]{0,3}\)/gi

/** `name (address)`: the reader sees the target whatever the name says, and no image is fetched. */
function showTargets(text: string): string {
  return text.replace(INLINE, (_, name: string, address: string) => {
    const shown = name.trim()
    return shown === '' || shown === address ? address : `${shown} (${address})`
  })
}

/**
 * Start of a tag, a comment, an instruction, a chat service's form, or a model's special token: any bracket followed by
 * something, except an arrow, a comparison or a heart.
 */
const OPENING = /<(?![\s<=-]|3(?!\S)|$)/g
const AUTOLINK = /^<([^\s<>"`|]{1,2048})>/
/** After a bracket these make a link, a reference, or its definition. */
const AFTER_BRACKET = /\](?=[([:])/g
/** One word after a slash, which a chat would show as a button. A path has several parts. */
const COMMAND = /(?<![^\s([{"'*_~>|])(?<!<\s)\/(?=[a-z0-9_]{1,64}(?:@[a-z0-9_]{1,32})?(?![a-z0-9_/]))/gi

/** Only adds spaces. An allowed mail or web address keeps its angle brackets. */
function breakMarkup(text: string, allowed: Allowed): string {
  return text
    .replace(OPENING, (_, at: number) => {
      const inside = AUTOLINK.exec(text.slice(at, at + 2_050))?.[1]
      return inside !== undefined && allowed.has(inside) ? '<' : '< '
    })
    .replace(AFTER_BRACKET, '] ')
    .replace(COMMAND, '/ ')
}

/** Sentence that replaces a false statement of identity. */
export function ownSentence(name: string): string {
  return `I am ${name}, your private assistant.`
}

const PRODUCTS =
  'chat ?gpt|gpt[- ]?\\d[\\w.-]{0,12}|gpt|openai|claude|anthropic|gemini|gemma|bard|google ai|llama|meta ai|mistral|mixtral|le chat|qwen|tongyi|deepseek|copilot|bing chat|grok|xai|perplexity|cohere|command r|phi-?\\d|kimi|moonshot|chatglm|ernie|yi-\\d+b|falcon|vicuna|alexa|siri|cortana|bixby|hermes|thufir|文心一言|通义千问|豆包'
const MAKERS =
  'openai|anthropic|google(?: deepmind)?|deepmind|meta(?: ai)?|mistral(?: ai)?|alibaba(?: cloud)?|deepseek|microsoft|xai|x\\.ai|amazon|apple|cohere|baidu|moonshot(?: ai)?|nous research'

/** "I am" in the supported languages. */
const I_AM = [
  "i am|i['’]m|my name is|you(?: are|['’]re) (?:talking|chatting|speaking) (?:to|with)",
  "ich bin|mein name ist|ich heiße|je suis|je m[’']appelle|mon nom est|yo soy|soy|me llamo|mi nombre es",
  'io sono|sono|mi chiamo|eu sou|sou|meu nome é|ik ben|mijn naam is|jestem|nazywam się|jag är|jeg er|minä olen',
  'я|меня зовут|我是|我叫|私は|わたしは|저는|나는',
].join('|')
/** Words allowed in between. */
const BETWEEN =
  '(?:actually|really|just|in fact|called|named|known as|based on|powered by|running on|built on|a version of|an instance of|the|an?|der|die|das|ein|eine|un|une|uno|una|il|lo|la|le|el|o|um|uma|een|de|assistant|ai|ki|ia|model|language|large|virtual|your|old|new|latest)'
const WAS_MADE =
  '(?:made|built|created|developed|trained|designed|powered|provided|operated|entwickelt|trainiert|erstellt|développé|créé|entraîné|desarrollado|creado|entrenado|sviluppato|creato|addestrato|desenvolvido|criado|treinado|ontwikkeld|gemaakt)'

const CLAIMS: readonly RegExp[] = Object.freeze([
  new RegExp(
    `(?<![\\p{L}\\p{N}])(?:${I_AM})[\\s,:*_"'“]{0,4}(?:${BETWEEN}[\\s,:*_"'“]{1,3}){0,6}(?:${PRODUCTS})(?![\\p{L}\\p{N}])`,
    'giu',
  ),
  new RegExp(
    `(?<![\\p{L}\\p{N}])(?:i|ich|je|yo|io|eu|ik)(?![\\p{L}\\p{N}])(?:(?!\\b(?:that|which|it|he|she|they|dass|es|er|sie)\\b)[^.!?\\n]){0,100}?${WAS_MADE}[^.!?\\n]{0,20}?(?<![\\p{L}\\p{N}])(?:by|von|par|por|da|door)\\s{1,3}(?:${MAKERS})(?![\\p{L}\\p{N}])`,
    'giu',
  ),
  new RegExp(
    `(?<![\\p{L}\\p{N}])(?:i am|i['’]m|ich bin|je suis|soy|sono|sou)\\s[^.!?\\n]{0,60}?(?:language model|sprachmodell|modèle de langage|modelo de lenguaje|modello linguistico|modelo de linguagem)[^.!?\\n]{0,60}?(?<![\\p{L}\\p{N}])(?:${MAKERS})(?![\\p{L}\\p{N}])`,
    'giu',
  ),
  new RegExp(
    `(?<![\\p{L}\\p{N}])as an? (?:ai|artificial intelligence)?[\\s\\w-]{0,30}(?:model|assistant)[\\s\\w,]{0,30}(?:by|from)\\s{1,3}(?:${MAKERS})(?![\\p{L}\\p{N}])`,
    'giu',
  ),
  new RegExp(
    `(?<![\\p{L}\\p{N}])(?:this is|hier (?:ist|spricht)|ici)\\s{1,3}(?:${BETWEEN}\\s{1,3}){0,3}(?:${PRODUCTS})(?=,?\\s(?:speaking|here|talking|at your service|am apparat)(?![\\p{L}\\p{N}]))`,
    'giu',
  ),
])
/** A name after one of these words is a true denial: "I am not Claude". */
const DENIES = /\b(?:not|n['’]t|kein\w*|nicht|pas|no|non|não|niet|nie|не)\b/iu

/** `draft`: start of a text for the person to use as their own. */
function keepIdentity(
  text: string,
  others: Others,
  { name, draft }: { readonly name: string; readonly draft: number },
): string {
  const spans: Span[] = []
  for (const { start, end } of sentencesOf(text)) {
    if (start >= draft) break
    const sentence = text.slice(start, end)
    if (!isFalse(text, { start, end }, { others, name })) continue
    const lead = /^\s*(?:[-*•#]\s+)?/.exec(sentence)?.[0].length ?? 0
    spans.push({ start: start + lead, end: start + sentence.trimEnd().length })
  }
  return replaceSpans(text, spans, ownSentence(name))
}

function isFalse(
  text: string,
  { start, end }: Span,
  { others, name }: { readonly others: Others; readonly name: string },
): boolean {
  const sentence = text.slice(start, end)
  if (!/\p{L}/u.test(sentence)) return false
  for (const pattern of CLAIMS) {
    for (const { 0: hit, index } of sentence.matchAll(pattern)) {
      if (DENIES.test(hit) || isQuotation(text, start + index)) continue
      // The assistant may use the name that its owner chose; that name does not state its maker.
      if (hit.toLowerCase().endsWith(name.toLowerCase())) continue
      const clause = /^[^"“”„«»\n]*/.exec(sentence.slice(index))?.[0] ?? ''
      if (!others.said(clause)) return true
    }
  }
  return false
}

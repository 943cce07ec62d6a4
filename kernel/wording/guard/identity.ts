/**
 * Identity in answers (C-24, N-31): a sentence in which the assistant claims to be another product, or somebody else's model,
 * is replaced by its own name. Statements of others about themselves stay, if quoted visibly or word for word. The commonest
 * forms in several languages. Pure and linear; called by unit.ts.
 */
import { isQuotation, type Others, sentencesOf } from './sentences.ts'
import { replaceSpans, type Span } from './spans.ts'

/** Replaces the sentence. */
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
export function keepIdentity(
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

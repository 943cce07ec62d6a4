/**
 * Parses HTML at home: linkedom builds the document, Readability finds the article (J-05). Runs no script and loads
 * nothing. A page too deep or too large for Readability is read as plain text, because both are attacks on time. Must
 * run in a thread of its own: called by page-worker.ts.
 */

import { Readability } from '@mozilla/readability'
import {
  createPage,
  firstDate,
  PAGE_LIMITS,
  type Page,
  type RawPage,
} from '../../integrations/extractors/page.ts'
import { PAGE_DATA, statedFacts } from '../../integrations/extractors/page-data.ts'
import {
  BLOCK_ELEMENTS,
  DATA_TYPE,
  HIDING_STYLE,
  META_FACTS,
  SILENT_ELEMENTS,
  states,
} from '../../integrations/extractors/page-elements.ts'
import { type HtmlNode, type PageDocument, parseHtml, walk } from './page-tree.ts'

/** Readability recurses and rescans: 20,000 nested elements took 17 s and overflowed the stack. Browsers stop at 512. */
const MAX_DEPTH = 200
const MAX_NODES = 20_000

interface Survey {
  readonly facts: Map<'title' | 'author' | 'date', string>
  readonly links: string[]
  /** Blocks of JSON-LD. */
  readonly data: string[]
  title: string
  time: string | null
  nodes: number
  depth: number
}

/** Text of a mail's HTML body, in document order. Readability is not used, as it drops what is no article. */
export function htmlToText(html: string): string {
  return textOf(parseHtml(html), PAGE_LIMITS.text)
}

/** Throws what linkedom throws. */
export function readPage(html: string, url: string): Page {
  const document = parseHtml(html)
  const survey = surveyOf(document)
  const language = document.documentElement?.getAttribute?.('lang') ?? null
  // Before Readability, which modifies the tree.
  const plain = textOf(document, PAGE_LIMITS.text)
  const article = isReadable(survey) ? articleOf(document) : null
  const stated = statedFacts(survey.data)
  const raw: RawPage = {
    title: article?.title || survey.facts.get('title') || stated.title || survey.title,
    author: firstAuthor([stated.author, article?.author, survey.facts.get('author')]),
    date: firstDate([stated.date, article?.date, survey.facts.get('date'), survey.time].map(dayIn)),
    text: article?.text || plain,
    links: survey.links,
    language,
  }
  return createPage(raw, url)
}

/** Many pages state a moment without its zone: of that one, the day that they say. */
function dayIn(stated: string | null | undefined): string | null {
  return stated?.trim().replace(/^(\d{4}-\d\d-\d\d)[T ]\d\d:\d\d[\d:.]*$/, '$1') ?? null
}

function firstAuthor(stated: readonly (string | null | undefined)[]): string | null {
  return stated.find((one) => typeof one === 'string' && states('author', one)) ?? null
}

function isReadable({ depth, nodes }: Survey): boolean {
  return depth <= MAX_DEPTH && nodes <= MAX_NODES
}

function surveyOf(document: PageDocument): Survey {
  const survey: Survey = { facts: new Map(), links: [], data: [], title: '', time: null, nodes: 0, depth: 0 }
  walk(document, {
    enter: (element, name, depth) => {
      survey.nodes += 1
      survey.depth = Math.max(survey.depth, depth)
      if (name === 'meta') noteMeta(survey, element)
      if (name === 'script' && DATA_TYPE.test(element.getAttribute?.('type') ?? ''))
        survey.data.push(rawText(element))
      if (name === 'title' && survey.title === '') survey.title = element.firstChild?.nodeValue ?? ''
      if (name === 'time') survey.time ??= element.getAttribute?.('datetime') ?? null
      const href = name === 'a' ? element.getAttribute?.('href') : null
      if (href && !href.startsWith('#')) survey.links.push(href)
      return true
    },
    text: () => {
      survey.nodes += 1
    },
  })
  return survey
}

function noteMeta({ facts }: Survey, element: HtmlNode): void {
  const of = (name: string): string | null => element.getAttribute?.(name) ?? null
  const fact = META_FACTS.get((of('property') ?? of('name') ?? of('itemprop') ?? '').toLowerCase())
  const content = of('content') ?? ''
  if (fact !== undefined && states(fact, content) && !facts.has(fact)) facts.set(fact, content)
}

/** Of an element that holds text alone. */
function rawText(element: HtmlNode): string {
  let text = ''
  for (
    let node = element.firstChild;
    node !== null && text.length <= PAGE_DATA.block;
    node = node.nextSibling
  )
    text += node.nodeValue ?? ''
  return text
}

/** Null where none is found, or Readability throws: it looks for a body, which a page may leave out. */
function articleOf(document: PageDocument) {
  const article = articleIn(document)
  if (article === null) return null
  return {
    title: article.title ?? '',
    author: article.byline ?? null,
    date: article.publishedTime ?? null,
    text: article.content ?? '',
  }
}

function articleIn(document: PageDocument) {
  const options = { serializer: (node: unknown) => textOf(node as HtmlNode, PAGE_LIMITS.text) }
  try {
    return new Readability<string>(document as never, options).parse()
  } catch {
    return null
  }
}

/** Visible text, one line a block, until about twice `max` UTF-16 units. The cleaning step cuts the rest. */
function textOf(root: HtmlNode, max: number): string {
  const pieces: string[] = []
  let size = 0
  const add = (piece: string): void => {
    // Repeated empty blocks must not use up the limit for text.
    if (size > max * 2 || (piece === '\n' && pieces.at(-1) === '\n' && pieces.at(-2) === '\n')) return
    pieces.push(piece)
    size += piece.length
  }
  walk(root, {
    enter: (element, name) => {
      if (BLOCK_ELEMENTS.has(name)) add('\n')
      return !SILENT_ELEMENTS.has(name) && !isHidden(element)
    },
    leave: (_, name) => {
      if (BLOCK_ELEMENTS.has(name)) add('\n')
    },
    text: (value) => add(value.replace(/\s+/g, ' ')),
  })
  return pieces.join('')
}

function isHidden(element: HtmlNode): boolean {
  const attribute = (name: string): string | null => element.getAttribute?.(name) ?? null
  return (
    attribute('hidden') !== null ||
    attribute('aria-hidden') === 'true' ||
    HIDING_STYLE.test(attribute('style') ?? '')
  )
}

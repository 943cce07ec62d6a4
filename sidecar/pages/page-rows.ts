/**
 * Reads the repeating rows of an HTML page by the class names of their elements, in one walk. Must run in a thread of its own: called by
 * page-worker.ts.
 */
import { type PageRows, ROW_LIMITS, type RowClasses } from '../../integrations/extractors/page-rows.ts'
import { type HtmlNode, parseHtml, walk } from './page-tree.ts'

interface Row {
  readonly node: HtmlNode
  readonly skipped: boolean
  href: string
  title: string
  text: string
}

type Part = 'title' | 'text'

/** Throws what linkedom throws. */
export function rowsIn(html: string, classes: RowClasses): PageRows {
  const rows: Row[] = []
  const marks = new Set<string>()
  let row: Row | null = null
  let part: { readonly of: Part; readonly node: HtmlNode } | null = null
  walk(parseHtml(html), {
    enter: (element, name) => {
      if (name === 'script' || name === 'style') return false
      const names = classesOf(element)
      for (const mark of classes.marks) if (names.some((one) => one.startsWith(mark))) marks.add(mark)
      if (names.includes(classes.row) && rows.length < ROW_LIMITS.rows) {
        row = { node: element, skipped: names.includes(classes.skip), href: '', title: '', text: '' }
        rows.push(row)
      }
      if (row === null || part !== null) return true
      if (names.includes(classes.title) && row.href === '') {
        row.href = element.getAttribute?.('href') ?? ''
        part = { of: 'title', node: element }
      } else if (names.includes(classes.text)) part = { of: 'text', node: element }
      return true
    },
    leave: (element) => {
      if (element === part?.node) part = null
      if (element === row?.node) row = null
    },
    text: (value) => {
      if (row !== null && part !== null && row[part.of].length < ROW_LIMITS.text)
        row[part.of] = (row[part.of] + value).slice(0, ROW_LIMITS.text)
    },
  })
  return {
    rows: rows.flatMap(({ skipped, href, title, text }) =>
      skipped || href === '' ? [] : [{ href, title, text }],
    ),
    marks: [...marks],
  }
}

function classesOf(element: HtmlNode): readonly string[] {
  return (element.getAttribute?.('class') ?? '').split(/\s+/)
}

/**
 * Facts of one source file for the rules: imports, mentioned names, forbidden syntax. Taken from the syntax tree, so
 * that comments and strings cannot be mistaken for code. Must not judge. Called by source-check.ts.
 */
import { posix } from 'node:path'
import { parseSync } from 'oxc-parser'

export interface Mention {
  readonly name: string
  readonly line: number
}

export interface SourceFacts {
  /** Module names; relative ones resolved to project paths. A dynamic import of a computed name is `?`. */
  readonly imports: readonly Mention[]
  /** Identifiers, member paths (`powers.tools.run`), constructions (`new Labeled`, `new Date()`). */
  readonly mentions: readonly Mention[]
  /** Syntax that the house rules forbid: `any`, `!`, `enum`, `export *`, `import *`. */
  readonly syntax: readonly Mention[]
  readonly lines: number
  readonly opensWithComment: boolean
  /** Text of the comments, to search it for forbidden words. */
  readonly comments: readonly Mention[]
}

interface Node {
  readonly type: string
  readonly start: number
  readonly [key: string]: unknown
}

/** Facts of a file. Throws if it does not parse; the compiler reports why. */
export function factsOf(path: string, text: string): SourceFacts {
  const { program, comments, errors } = parseSync(path, text)
  if (errors.length > 0) throw new SyntaxError(`${path} does not parse`)
  const lineOf = linesOf(text)
  const found: Found = { imports: [], mentions: [], syntax: [] }
  visit(program as unknown as Node, (node) => collect(node, found, path))
  const at = ([name, start]: Raw): Mention => ({ name, line: lineOf(start) })
  return {
    imports: found.imports.map(at),
    mentions: found.mentions.map(at),
    syntax: found.syntax.map(at),
    lines: text.split('\n').length - 1,
    opensWithComment: /^(?:#!.*\n)?\/[*/]/.test(text),
    comments: comments.map((comment) => at([comment.value, comment.start])),
  }
}

type Raw = readonly [name: string, start: number]
interface Found {
  readonly imports: Raw[]
  readonly mentions: Raw[]
  readonly syntax: Raw[]
}

function collect(node: Node, found: Found, path: string): void {
  const { type, start } = node
  if (type in MODULE_NODES) {
    const module = moduleOf(node, path)
    if (module !== undefined) found.imports.push([module, start])
  }
  if (type in FORBIDDEN_SYNTAX) found.syntax.push([FORBIDDEN_SYNTAX[type] ?? type, start])
  if (type === 'Identifier') found.mentions.push([String(node['name']), start])
  if (type === 'MemberExpression') found.mentions.push([pathOf(node), start])
  if (type === 'NewExpression') found.mentions.push([constructionOf(node), start])
  if (type === 'ImportNamespaceSpecifier') found.syntax.push(['import *', start])
  // Aliased imports and re-exports name the function without mentioning the local identifier.
  if (type === 'ImportSpecifier') found.mentions.push([nameOf(node['imported']), start])
  if (type === 'ExportSpecifier') found.mentions.push([nameOf(node['local']), start])
}

const MODULE_NODES: Readonly<Record<string, true>> = {
  ImportDeclaration: true,
  ExportAllDeclaration: true,
  ExportNamedDeclaration: true,
  ImportExpression: true,
  TSImportType: true,
  TSExternalModuleReference: true,
}

const FORBIDDEN_SYNTAX: Readonly<Record<string, string>> = {
  TSAnyKeyword: 'any',
  TSNonNullExpression: '!',
  TSEnumDeclaration: 'enum',
  TSParameterProperty: 'parameter property',
  ExportAllDeclaration: 'export *',
}

function moduleOf(node: Node, path: string): string | undefined {
  const source = (node['source'] ?? node['argument'] ?? node['expression']) as Node | null | undefined
  // An export without `from` imports nothing.
  if (source === null || source === undefined) return undefined
  const literal = source.type === 'TSLiteralType' ? (source['literal'] as Node) : source
  const name = literal['value']
  if (typeof name !== 'string') return '?'
  return name.startsWith('.') ? posix.join(posix.dirname(path), name) : name
}

/** Such as `powers.tools.run`; parts that are not names appear as `()`. */
function pathOf(node: Node): string {
  const object = node['object'] as Node
  const before = object.type === 'MemberExpression' ? pathOf(object) : nameOf(object)
  const property = node['property'] as Node
  const key = node['computed'] === true ? property['value'] : nameOf(property)
  return `${before}.${typeof key === 'string' ? key : '()'}`
}

function constructionOf(node: Node): string {
  const callee = nameOf(node['callee'])
  const bare = callee === 'Date' && (node['arguments'] as readonly unknown[]).length === 0
  return bare ? 'new Date()' : `new ${callee}`
}

function nameOf(node: unknown): string {
  const { type, name, value } = node as Node
  if (type === 'ThisExpression') return 'this'
  return typeof name === 'string' ? name : typeof value === 'string' ? value : '()'
}

/** Keys under which an identifier is a label, not a reference: `{ fetch: 1 }`, `x.fetch`. */
function isLabel(node: Node, key: string): boolean {
  if (node['computed'] === true) return false
  if (key === 'property') return node.type === 'MemberExpression'
  return key === 'key' && node['shorthand'] !== true
}

function visit(node: Node, see: (node: Node) => void): void {
  see(node)
  for (const [key, value] of Object.entries(node)) {
    if (isLabel(node, key)) continue
    for (const child of Array.isArray(value) ? value : [value]) if (isNode(child)) visit(child, see)
  }
}

function isNode(value: unknown): value is Node {
  return typeof value === 'object' && value !== null && typeof (value as Node).type === 'string'
}

/** Line number, from 1, of an offset. */
function linesOf(text: string): (offset: number) => number {
  const starts = [0]
  for (let at = text.indexOf('\n'); at !== -1; at = text.indexOf('\n', at + 1)) starts.push(at + 1)
  return (offset) => starts.findLastIndex((start) => start <= offset) + 1
}

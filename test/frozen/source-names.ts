/**
 * Names that stand in sources as text: string types, members of an interface, keys of a Durable Object's storage, strings with a
 * prefix. Read from the syntax tree, so that layout and comments do not matter. Used by test/frozen/derive.ts.
 */
import { parseSync } from 'oxc-parser'

export interface Source {
  readonly path: string
  readonly text: string
}

interface Node {
  readonly type: string
  readonly [key: string]: unknown
}

/** Every string that stands as a type, such as the states of a union. */
export function literalTypes(source: Source): string[] {
  const nodes = nodesOf(source)
  // `Chat['sink']` names a member of a type, and no word of a value.
  const members = new Set(nodes.map(({ indexType }) => indexType))
  return nodes
    .filter((node) => node.type === 'TSLiteralType' && !members.has(node))
    .flatMap(({ literal }) =>
      isNode(literal) && typeof literal['value'] === 'string' ? [literal['value']] : [],
    )
}

/** Members of an interface or of a union of object types, by the name of that type; string types with their words. */
export function membersOf(source: Source, named: string): string[] {
  return nodesOf(source)
    .filter(({ id }) => isNode(id) && id['name'] === named)
    .flatMap((declaration) => below(declaration))
    .filter(({ type }) => type === 'TSPropertySignature')
    .flatMap(({ key, typeAnnotation }) => {
      const name = isNode(key) ? String(key['name']) : '?'
      const words = below(typeAnnotation)
        .filter(({ type }) => type === 'TSLiteralType')
        .flatMap(({ literal }) => (isNode(literal) ? [String(literal['value'])] : []))
      return words.length === 0 ? [`${named}.${name}`] : words.map((word) => `${named}.${name}: ${word}`)
    })
}

/** Fields of the zod objects of a source; one that is a literal or an enum with each of its words. */
export function fieldsOfSchemas(
  source: Source,
): readonly { readonly field: string; readonly words: string[] }[] {
  return nodesOf(source)
    .filter((node) => isZodCall(node, /^(?:strict|loose)?object$/i))
    .flatMap((call) => {
      const [shape] = Array.isArray(call['arguments']) ? call['arguments'] : []
      return isNode(shape) && Array.isArray(shape['properties']) ? shape['properties'] : []
    })
    .filter(({ type }) => type === 'Property')
    .map(({ key, value }) => ({
      field: String(key.name ?? key.value),
      words: below(value)
        .filter((node) => isZodCall(node, /^(?:literal|enum)$/))
        .flatMap((node) => stringsIn(below(node['arguments']))),
    }))
}

function isZodCall({ type, callee }: Node, named: RegExp): boolean {
  if (type !== 'CallExpression' || !isNode(callee) || callee.type !== 'MemberExpression') return false
  const { object, property } = callee
  return isNode(object) && object['name'] === 'z' && isNode(property) && named.test(String(property['name']))
}

/** Strings, and templates with `*` for what is filled in, that begin with one of the prefixes. */
export function prefixedStrings(source: Source, prefixes: readonly string[]): string[] {
  return stringsIn(nodesOf(source)).filter((text) => prefixes.some((prefix) => text.startsWith(prefix)))
}

/** Keys and prefixes under which a Durable Object keeps values: what a call of `kv` names, constants followed. */
export function keyValueNames(source: Source): string[] {
  const nodes = nodesOf(source)
  const constants = new Map(
    nodes
      .filter(({ type }) => type === 'VariableDeclarator')
      .flatMap(({ id, init }) => (isNode(id) && isNode(init) ? [[String(id['name']), init] as const] : [])),
  )
  return nodes.filter(isKvCall).flatMap((call) => {
    const [first] = Array.isArray(call['arguments']) ? call['arguments'] : []
    return below(first).flatMap((node) => {
      const kept = node.type === 'Identifier' ? constants.get(String(node['name'])) : node
      return kept === undefined ? [] : stringsIn(kept === node ? [node] : below(kept))
    })
  })
}

function isKvCall({ type, callee }: Node): boolean {
  if (type !== 'CallExpression' || !isNode(callee) || callee.type !== 'MemberExpression') return false
  const { object } = callee
  if (!isNode(object)) return false
  const { property } = object
  return object['name'] === 'kv' || (isNode(property) && property['name'] === 'kv')
}

function stringsIn(nodes: readonly Node[]): string[] {
  return nodes.flatMap(({ type, value, quasis }) => {
    if (type === 'Literal' && typeof value === 'string') return [value]
    if (type !== 'TemplateLiteral' || !Array.isArray(quasis)) return []
    return [quasis.map((piece: { value: { cooked: string } }) => piece.value.cooked).join('*')]
  })
}

function nodesOf({ path, text }: Source): Node[] {
  return below(parseSync(path, text).program)
}

/** A node and all that it is made of. */
function below(root: unknown): Node[] {
  if (Array.isArray(root)) return root.flatMap(below)
  if (!isNode(root)) return []
  return [root, ...Object.values(root).flatMap((part) => (typeof part === 'object' ? below(part) : []))]
}

function isNode(value: unknown): value is Node {
  return typeof value === 'object' && value !== null && 'type' in value
}

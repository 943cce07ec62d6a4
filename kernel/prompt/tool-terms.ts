/**
 * Extracts the words by which a request finds a tool (I-32): those of the tool's declaration, and forms such as a link, a file
 * name or `#channel`, which occur in both its examples and the request. Pure text; must not choose. Called by shown-tools.ts.
 */
import { indexWords } from '../features/memory/telling-words.ts'
import type { ToolCard } from './parts.ts'

/** The parts of a tool that are searched. */
export type Findable = Pick<ToolCard, 'id' | 'description' | 'terms'> &
  Partial<Pick<ToolCard, 'semantics' | 'finds'>>

/** Words that occur in requests of any kind, and words for times. */
export const OF_ANYTHING: ReadonlySet<string> = new Set(
  indexWords(
    'show tell give list summarise summarize summary fasse fass zusammen zusammenfassen look see want need make one ones other another there here anything something thing things lately first any all every many ' +
      'today tomorrow yesterday tonight morning evening week weekend month year day monday tuesday wednesday thursday friday saturday sunday next last ' +
      'zeig zeige sag sage gib gibt geben hab habe haben hast hatte welche welcher welches welchen alle alles mal bitte noch nochmal schon gerade zuletzt ' +
      'steht stehen ist sind war waren wird werden soll kann kannst dass nach diese dieser diesen diesem dieses nachste nachsten letzte letzten ' +
      'heute morgen gestern abend woche wochenende monat jahr tag montag dienstag mittwoch donnerstag freitag samstag sonntag',
  ),
)

/** Words of the action in a tool's id, without its service. */
export function nameOf(id: string): ReadonlySet<string> {
  return new Set(indexWords(id.slice(familyOf(id).length).replaceAll(/[._]/g, ' ')))
}

const ADDRESS = /\b(?:https?:\/\/|www\.)[^\s"'<>]+/giu
const MAIL_ADDRESS = /\S+@\S+\.\S+/gu
const NAMED_FILE = /([\p{L}\p{N}_-]+)\.(\p{L}{2,5})(?![\p{L}\p{N}])/gu

/**
 * Reduces an address to its host and a file name to its extension, and removes mail addresses:
 * names of people, folders and files may mean anything, unless they name a service.
 */
function withoutNames(text: string, services: ReadonlySet<string>): string {
  const plain = text.replaceAll(MAIL_ADDRESS, ' ').replaceAll(ADDRESS, (address) => {
    const [scheme = '', host = scheme, ...path] = address.split(/:?\/+/)
    const file = /[^?#]*\.[a-z]{2,5}(?=$|[?#])/iu.exec(path.at(-1) ?? '')?.[0].replaceAll('.', ' ') ?? ''
    return ` ${scheme} ${host.split('.').slice(0, -1).join(' ')} ${file} `
  })
  return plain.replaceAll(NAMED_FILE, (all, name: string, ending: string) =>
    services.has(name.toLowerCase()) ? all : ending,
  )
}

/** Removes host names from a description: they are examples, and a request with another host may still be meant. */
function withoutHosts(text: string): string {
  return text.replaceAll(/\S*\p{L}\.\p{L}\S*/gu, ' ')
}

/**
 * Forms that are no words, each represented by a name that no text contains. A form
 * inside a longer one counts only as the longer one.
 */
const FORMS: readonly (readonly [name: string, form: RegExp])[] = [
  ['a_link', /https?:\/\/[^\s"'<>]+/giu],
  ['an_address', /[^\s@<>"']+@[^\s@<>"']+\.\p{L}{2,}/gu],
  ['a_number_address', /(?<![\d.])\d{1,3}(?:\.\d{1,3}){3}(?![\d.])/gu],
  [
    'a_file',
    /[\p{L}\p{N}_-]+\.(?:md|txt|csv|json|pdf|docx?|xlsx?|pptx?|odt|html?|jpe?g|png)(?![\p{L}\p{N}])/giu,
  ],
  ['a_host', /(?<![\p{L}\p{N}.-])(?:[\p{L}\p{N}-]+\.){1,5}\p{L}{2,}(?![\p{L}\p{N}])/gu],
  ['a_channel', /(?<![^\s("])#\p{L}[\p{L}\p{N}_-]*/gu],
  ['a_handle', /(?<![^\s("])@[\p{L}\p{N}_.]+/gu],
  ['a_repository', /(?<![^\s("])[\w.-]*[A-Za-z][\w.-]*\/[\w.-]+(?:#\d+)?(?![^\s,.:;?!)"])/gu],
  ['a_phone', /(?<![\p{L}\p{N}.])(?:\+|00?)\d[\d ()/-]{5,}\d/gu],
]

/** Names of the forms in a text, and the text without them. */
function formsIn(text: string): { readonly forms: readonly string[]; readonly rest: string } {
  let rest = text
  const forms = FORMS.flatMap(([name, form]) => {
    const before = rest
    rest = rest.replaceAll(form, ' ')
    return rest === before ? [] : [name]
  })
  return { forms, rest }
}

/** Whether a word is the name of a form. */
export function isForm(word: string): boolean {
  return FORMS.some(([name]) => name === word)
}

/**
 * Maximum UTF-16 units of a request that are searched. Each position is a start for
 * the patterns, so time is quadratic for a text without spaces.
 */
const MOST_READ = 1_000

/** The words and forms by which a request finds tools. */
export function findingWords(request: string, services: ReadonlySet<string>): readonly string[] {
  const text = request.slice(0, MOST_READ)
  return [...indexWords(withoutNames(text, services)), ...formsIn(text).forms]
}

const TERMS = new Map<string, ReadonlySet<string>>()

/** Words of a tool, cached by its texts; there are as many entries as tools. */
export function termsOf({ id, description, terms = [], finds = [] }: Findable): ReadonlySet<string> {
  const texts = [id.replaceAll(/[._]/g, ' '), withoutHosts(description), ...terms, ...finds]
  const key = texts.join('\n')
  const known = TERMS.get(key)
  if (known !== undefined) return known
  // The words inside an example of a form may mean anything, so only the form counts.
  const read = texts.map(formsIn)
  const words = new Set(read.flatMap(({ forms, rest }) => [...indexWords(rest), ...forms]))
  TERMS.set(key, words)
  return words
}

/** A tool and its words, during one request. */
export interface Termed {
  readonly id: string
  readonly own: ReadonlySet<string>
}

export function termed(tools: readonly Findable[]): readonly Termed[] {
  return tools.map((tool) => ({ id: tool.id, own: termsOf(tool) }))
}

export function familyOf(id: string): string {
  return id.slice(0, Math.max(0, id.indexOf('.')))
}

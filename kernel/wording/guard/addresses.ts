/**
 * Addresses in an answer: allowed only if the task read them, complete and letter for letter (DESIGN §3); a model that writes its
 * own links could put data into them. Fails closed: examines every run of text without a space and allows or defuses whatever any
 * client could link. Pure and linear. Called by unit.ts, which handles the syntax around an address.
 */
import { plainText } from './plain.ts'

/** Text that replaces an address. */
const REMOVED_LINK = '[link removed]'

/**
 * Runs that may contain an address. Every client ends one at white space and angle brackets, most at the
 * other characters.
 */
const TOKEN = /[^\s<>"`|]+/gu
/** What follows an address that no client includes in it. */
const CLOSED = /^(?:[\s<>]|$|"[.,;:!?)\]]{0,2}(?:[\s<>]|$))/u
/** A dot at the start of a run: it continues a name that another character only appears to end. */
const LOOSE_DOT = /(?<=["`|])\.(?=[*_~\\"`|]{0,3}[\p{L}\p{N}])/gu
/**
 * Punctuation around an address that is not part of it. More of it than `TAIL` allows could itself carry a
 * message.
 */
const HEAD = /^[([{'*_~«“‘„,;.!?¡¿]+/u
const TAIL = /(?:['’]s)?[.,;:!?'"`|)\]}*_~…»”’]{0,4}$/u

/** Characters that some client includes in an address; a space then separates them from it. */
const ENDS_IT = /^(?:['’]s)?['"”’)\]]{0,2}[.,;:!?]?['"”’)\]]?$/u
const OF_A_MAILBOX = /[!'`*_~{|.?]$/

/** A scheme and a slash, in the spellings that browsers repair (`https:/x`, `https:\\x`). */
const SCHEME = /[a-z][a-z0-9+.-]{1,31}:[\\/]/i
/** Schemes that act without a slash. */
const ACTING =
  /(?<![a-z0-9])(?:mailto|tel|sms|smsto|mms|callto|facetime|skype|whatsapp|tg|slack|geo|maps|market|magnet|intent|xmpp|sips?|zoommtg|msteams|javascript|vbscript|livescript|data|file|blob|about|view-source|filesystem|ms-[a-z]{2,20}):(?=\S)/i
/** `//host` and `\\server`: the scheme of the page, or a file share. */
const HOST_ONLY = /(?<![\p{L}\p{N}:])(?:\/\/|\\\\)[\p{L}\p{N}[]/u
/** Schemes that may be shown. An answer never contains a link that runs code or opens a program. */
const SHOWN_SCHEME = /^(?:https?:\/\/|mailto:|tel:|ftps?:\/\/)/i

/**
 * A dot between two labels, allowing for markup that a renderer removes. Clients differ in what a label may
 * contain. `。` and similar characters are dots in hosts, too.
 */
const JOINT = /(?<=[^\s.])[.\u3002\uff0e\uff61](?=[*_~\\`]{0,3}[\p{L}\p{N}\p{M}])/gu
/** Full-width letters and signs, which browsers read as ASCII. */
const WIDE = /[\uff01-\uff0d\uff0f-\uff5e]/g
const WIDE_SHIFT = 0xfee0
const WIDE_DOT = /[\u3002\uff0e\uff61]/
/** A last label: letters, or punycode. */
const TOP_LABEL = /^[*_~\\`]{0,3}(?:xn--[a-z0-9]|((?:\p{L}\p{M}{0,3}){2,63}))/iu
const ASCII_LABEL = /^[*_~\\`]{0,3}[a-z0-9]/i
/** File and code extensions that are no top-level domains, so that no client links them. */
const NO_DOMAIN = new Set(
  'js jsx tsx json html htm css txt pdf doc docx xls xlsx ppt pptx odt ods png jpg jpeg gif svg webp heic csv tsv xml yml yaml toml log exe dll wav ogg ics eml sql wasm tar tgz bak cfg ini conf env php asp aspx jsp cpp hpp java class lock sqlite db epub rtf'.split(
    ' ',
  ),
)
/** Any host after the `@`: some clients require no dot there. */
const MAILBOX = /[\p{L}\p{N}_%+.-][*_~\\]{0,3}@[*_~\\]{0,3}[\p{L}\p{N}]/u
const NUMBERS = /(?<![\d.])(?:\d{1,3}\.){3}\d{1,3}(?![\d.]*\d)/
/** Characters that make a bare host more than a name. */
const MORE_THAN_NAME = /[\\/?#%&=]|:(?!\d{1,5}$)/

/** Addresses of the texts that were read, in their complete spelling. */
export interface Allowed {
  has(address: string): boolean
}

/** Computed on first use, because most answers contain no address. `inputs`: all texts that the task read. */
export function allowedAddresses(inputs: () => readonly string[]): Allowed {
  let known: Set<string> | null = null
  return {
    has(address) {
      known ??= collect(inputs())
      return known.has(address)
    },
  }
}

function collect(inputs: readonly string[]): Set<string> {
  const known = new Set<string>()
  for (const input of inputs) {
    for (const [token] of plainText(input).matchAll(TOKEN)) {
      const { core } = trimmed(token)
      const found = lookAt(core)
      if (found === null) continue
      const address = core.slice(found.from)
      if (SHOWN_SCHEME.test(address) || found.kind !== 'acting') known.add(address)
    }
  }
  return known
}

/** Removes every address that is not allowed, or makes it a plain name: `example[.]com`. */
export function guardAddresses(text: string, allowed: Allowed): string {
  const whole = text.replace(LOOSE_DOT, '[.]')
  return whole.replace(TOKEN, (token, at: number) => {
    const { head, core, tail } = trimmed(token)
    const found = lookAt(core)
    if (found === null) return token
    const end = at + token.length
    const isOpen = /[`|]/.test(whole[at - 1] ?? '') || OF_A_MAILBOX.test(head)
    const before = isOpen && MAILBOX.test(core) ? `${head} ` : head
    const isClosed = CLOSED.test(whole.slice(end, end + 8)) && ENDS_IT.test(tail)
    return before + judged(core, found, allowed) + (isClosed ? tail : ` ${tail}`)
  })
}

function judged(core: string, found: Address, allowed: Allowed): string {
  if (allowed.has(core)) return core
  const before = core.slice(0, found.from)
  const address = core.slice(found.from)
  if (found.kind === 'name') return defused(core)
  if (lookAt(before) !== null || /[@/\\]/.test(before)) return REMOVED_LINK
  return before + (allowed.has(address) ? address : REMOVED_LINK)
}

interface Address {
  /**
   * `acting`: with a scheme. `place`: a host with a path, or a host alone. `name`: a name, or a mail address.
   */
  readonly kind: 'acting' | 'place' | 'name'
  readonly from: number
}

/** The address that a client could link in a run of text; null if none. */
function lookAt(spelled: string): Address | null {
  const core = spelled.replace(WIDE, (letter) => String.fromCharCode(letter.charCodeAt(0) - WIDE_SHIFT))
  const schemes = [SCHEME.exec(core)?.index, ACTING.exec(core)?.index].filter((at) => at !== undefined)
  if (schemes.length > 0) return { kind: 'acting', from: Math.min(...schemes) }
  const host = HOST_ONLY.exec(core)
  if (host !== null) return { kind: 'place', from: host.index }
  if (!MAILBOX.test(core) && !NUMBERS.test(core) && !hasHost(core)) return null
  return { kind: MORE_THAN_NAME.test(core) ? 'place' : 'name', from: 0 }
}

function hasHost(core: string): boolean {
  for (const { index } of core.matchAll(JOINT)) {
    const after = core.slice(index + 1, index + 80)
    // In scripts that end sentences with such a dot, no client treats it as a dot between labels.
    if (
      WIDE_DOT.test(core[index] ?? '') &&
      !(ASCII_LABEL.test(after) && /[a-z0-9]/i.test(core[index - 1] ?? ''))
    )
      continue
    const label = TOP_LABEL.exec(after)
    if (label !== null && !NO_DOMAIN.has((label[1] ?? '').toLowerCase())) return true
  }
  return false
}

/** The address as readable text that no client links. */
function defused(core: string): string {
  return core.replace(JOINT, '[.]').replaceAll('@', '[at]')
}

function trimmed(token: string): { readonly head: string; readonly core: string; readonly tail: string } {
  const head = HEAD.exec(token)?.[0] ?? ''
  const rest = token.slice(head.length)
  const tail = TAIL.exec(rest)?.[0] ?? ''
  return { head, core: rest.slice(0, rest.length - tail.length), tail }
}

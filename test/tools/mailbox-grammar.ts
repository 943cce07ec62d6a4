/**
 * RFC 5322 §3.4 as a parser of its own, strict, for the mailbox tests: what a header's one mailbox is, by the grammar alone. What
 * senders write beyond it and no reader reads as an address is allowed in a phrase: `.`, `@`, `[`, `]` and characters beyond ASCII.
 * Called by mailbox.test.ts and by the fuzz targets.
 */

const DOT_ATOM = /[A-Za-z0-9!#$%&'*+\-/=?^_`{|}~.\u0080-\uffff]/
const WORD = /[A-Za-z0-9!#$%&'*+\-/=?^_`{|}~.@[\]\u0080-\uffff]/
const SPACE = /[ \t\r\n]/

/** `[address]` where the header is exactly one mailbox, `[]` otherwise. */
export function mailboxByGrammar(text: string): readonly string[] {
  const bare = new Reader(text)
  bare.skip()
  const address = bare.address()
  bare.skip()
  if (address !== null && bare.ended) return [address]
  const named = new Reader(text)
  named.skip()
  named.phrase()
  if (!named.take('<')) return []
  named.skip()
  const bracketed = named.address()
  named.skip()
  if (!named.take('>')) return []
  named.skip()
  return bracketed !== null && named.ended ? [bracketed] : []
}

class Reader {
  private at = 0
  private readonly text: string

  constructor(text: string) {
    this.text = text
  }

  get ended(): boolean {
    return this.at >= this.text.length
  }

  take(char: string): boolean {
    if (this.text.charAt(this.at) !== char) return false
    this.at += 1
    return true
  }

  /** CFWS: spaces, folds and comments in comments. */
  skip(): void {
    while (this.run(SPACE) !== '' || this.comment());
  }

  phrase(): void {
    while (this.run(WORD) !== '' || this.quoted()) this.skip()
  }

  /** `local@domain`, both dot-atoms; where a dot may stand is the kernel's to say. */
  address(): string | null {
    const local = this.dotAtom()
    if (local === null || !this.take('@')) return null
    const domain = this.dotAtom()
    return domain === null ? null : `${local}@${domain}`
  }

  private dotAtom(): string | null {
    return this.run(DOT_ATOM) || null
  }

  private comment(): boolean {
    return this.enclosed('(', ')', () => this.comment())
  }

  private quoted(): boolean {
    return this.enclosed('"', '"', () => false)
  }

  private enclosed(open: string, close: string, inner: () => boolean): boolean {
    const start = this.at
    if (!this.take(open)) return false
    while (!this.ended) {
      if (this.take(close)) return true
      if (inner()) continue
      this.at += this.text.charAt(this.at) === '\\' ? 2 : 1
    }
    this.at = start
    return false
  }

  private run(of: RegExp): string {
    const start = this.at
    while (!this.ended && of.test(this.text.charAt(this.at))) this.at += 1
    return this.text.slice(start, this.at)
  }
}

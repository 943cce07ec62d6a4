/**
 * Parses an address with the platform's `URL`. Avoids `URL.canParse`, which in Node 20 wrongly refuses
 * non-ASCII addresses after some thousand calls. Called by http/ and page-clean.ts.
 */

/** Null for what is no address. */
export function urlOf(text: string, base?: string | URL): URL | null {
  try {
    return new URL(text, base)
  } catch {
    return null
  }
}

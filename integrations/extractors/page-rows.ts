/**
 * Rows that repeat in an HTML page, such as the results of a search engine, found by the class names of their elements: the port that
 * home's reader implements. All content is outside text. Must not fetch. Called by tools that read such pages.
 */

export interface RowClasses {
  /** One row. */
  readonly row: string
  /** The link of a row, whose text is its title. */
  readonly title: string
  readonly text: string
  /** Rows that are left out, such as advertisements. */
  readonly skip: string
  /** Beginnings of class names whose presence is reported. */
  readonly marks: readonly string[]
}

export interface PageRows {
  readonly rows: readonly { readonly href: string; readonly title: string; readonly text: string }[]
  readonly marks: readonly string[]
}

/** Throws on failure. */
export type RowReader = (html: string, classes: RowClasses) => Promise<PageRows> | PageRows

/** Most rows that are read, and UTF-16 units of each text: a page cannot fill memory. */
export const ROW_LIMITS = Object.freeze({ rows: 60, text: 2_000 })

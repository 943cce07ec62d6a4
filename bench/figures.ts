/** Figures and their output. Must not measure anything. Called by the files of bench/. */

export interface Figure {
  readonly name: string
  readonly value: number
  readonly unit: string
  /** The figure's limit, and whether the figure keeps it. */
  readonly bound?: { readonly says: string; readonly holds: boolean }
}

export function percentile(samples: readonly number[], fraction: number): number {
  const sorted = [...samples].sort((a, b) => a - b)
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * fraction))] ?? Number.NaN
}

export function atMost(value: number, bound: number, says: string): NonNullable<Figure['bound']> {
  return { says, holds: value <= bound }
}

export function atLeast(value: number, bound: number, says: string): NonNullable<Figure['bound']> {
  return { says, holds: value >= bound }
}

export function table(figures: readonly Figure[]): string {
  const rows = figures.map(({ name, value, unit, bound }) => [
    name,
    value.toFixed(value >= 100 ? 0 : 2),
    unit,
    bound === undefined ? '' : `${bound.holds ? 'holds' : 'MISSED'}: ${bound.says}`,
  ])
  const width = (column: number): number => Math.max(...rows.map((row) => row[column]?.length ?? 0))
  const widths = [width(0), width(1), width(2)]
  return rows
    .map(([name = '', value = '', unit = '', bound = '']) =>
      `${name.padEnd(widths[0] ?? 0)}  ${value.padStart(widths[1] ?? 0)} ${unit.padEnd(widths[2] ?? 0)}  ${bound}`.trimEnd(),
    )
    .join('\n')
}

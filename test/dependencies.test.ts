/**
 * Runtime dependencies stay few and explained (S-17, STYLE 15): each has its row in ARCHITECTURE.md, is pinned exactly,
 * and comes with an integrity digest. An audit needs a network and an advisory service; this needs neither.
 */
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'

/** Direct runtime dependencies: each more is one more author who could read the keys at home. */
const MAX_RUNTIME = 31

const ROOT = join(import.meta.dirname, '..')
const read = (name: string): string => readFileSync(join(ROOT, name), 'utf8')
const manifest: Record<
  'dependencies' | 'optionalDependencies' | 'devDependencies',
  Record<string, string>
> = JSON.parse(read('package.json'))
const runtime = Object.keys({ ...manifest.dependencies, ...manifest.optionalDependencies })

interface Locked {
  readonly version?: string
  readonly integrity?: string
  readonly link?: boolean
}
const locked: Record<string, Locked> = JSON.parse(read('package-lock.json')).packages

/** `| package | why |` rows of a Markdown text; the package may stand in backticks. */
function reasonsIn(text: string): ReadonlyMap<string, string> {
  const rows = text.matchAll(/^\|\s*`?([@\w./-]+)`?\s*\|\s*(.*?)\s*\|/gm)
  return new Map([...rows].map(([, name, why]) => [name ?? '', why ?? '']))
}

describe('dependencies', () => {
  it('are few', () => {
    expect(runtime.length).toBeLessThanOrEqual(MAX_RUNTIME)
  })

  it('each have a line of why in ARCHITECTURE.md', () => {
    const reasons = reasonsIn(read('ARCHITECTURE.md'))
    expect(runtime.filter((name) => (reasons.get(name) ?? '').length < 10)).toEqual([])
  })

  it('of development each have one in docs/design/development.md', () => {
    const reasons = reasonsIn(read('docs/design/development.md'))
    const names = Object.keys(manifest.devDependencies)
    expect(names.filter((name) => (reasons.get(name) ?? '').length < 10)).toEqual([])
  })

  it('are read from the table as it is written', () => {
    const reasons = reasonsIn('| package | why |\n|---|---|\n| `@noble/x` | ciphers |\n| ws |  |\n')
    expect([reasons.get('@noble/x'), reasons.get('ws'), reasons.get('zod')]).toEqual([
      'ciphers',
      '',
      undefined,
    ])
  })
})

describe('the lock file', () => {
  it.each(
    Object.entries({
      ...manifest.dependencies,
      ...manifest.optionalDependencies,
      ...manifest.devDependencies,
    }),
  )('pins %s to %s', (name, version) => {
    expect(version).toMatch(/^\d+\.\d+\.\d+(?:-[\w.]+)?$/)
    expect(locked[`node_modules/${name}`]?.version).toBe(version)
  })

  it('binds every package to its bytes', () => {
    const loose = Object.entries(locked).filter(
      ([path, { integrity, link }]) => path !== '' && link !== true && !integrity?.startsWith('sha512-'),
    )
    expect(loose.map(([path]) => path)).toEqual([])
  })
})

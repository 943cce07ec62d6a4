/**
 * No god-interface in the kernel (DESIGN §9): a function takes the ports that it uses, and its signature says what it can touch. All ports at
 * once, and the whole store, are for the few that build or hand on everything, each with its reason.
 */
import { posix } from 'node:path'
import { parseSync } from 'oxc-parser'
import { describe, expect, it } from 'vitest'
import { readTree } from '../scripts/source-check.ts'

const ALL = 'kernel/powers/all-powers.ts'

const ROOTS: Readonly<Record<string, string>> = {
  'kernel/runtime/shell.ts': '`createShell` makes everything that runs, and hands each part its own',
  'kernel/operations/kernel-ports.ts': '`kernelPorts` makes the ports of every operation',
  'kernel/operations/home-ports.ts': '`homePorts` makes those that operations of home alone ask for',
  'kernel/operations/call.ts': '`createOperations` is handed what `kernelPorts` was made of',
}

/** Members of one port. More is two nouns. */
const MOST_MEMBERS = 12

const TREE = readTree()

const PRODUCT = /^(?:kernel|integrations|durable-objects|worker|sidecar)\/.*\.ts$/

describe('the kernel', () => {
  it('hands all ports at once to its roots alone', () => {
    const takers = [...TREE].filter(
      ([path, text]) => path.startsWith('kernel/') && /from '[^']*all-powers\.ts'/.test(text),
    )
    expect(takers.map(([path]) => path).sort()).toEqual(Object.keys(ROOTS).sort())
  })

  it('names `Powers` in no signature but those of the roots', () => {
    const found = [...TREE].flatMap(([path, text]) =>
      path.startsWith('kernel/') && path !== ALL && !(path in ROOTS) && /[:(<,&|=] *Powers\b/.test(text)
        ? [path]
        : [],
    )
    expect(found).toEqual([])
  })
})

describe('the shell', () => {
  it('is held whole by what makes it, and by its two places', () => {
    const holders = [...TREE].filter(
      ([path, text]) => PRODUCT.test(path) && /import type \{[^}]*\bShell\b[^}]*\} from/.test(text),
    )
    expect(holders.map(([path]) => path).sort()).toEqual([
      'durable-objects/principal/principal.ts',
      'kernel/runtime/shell.ts',
      'sidecar/home/wiring.ts',
    ])
  })
})

describe('the edge', () => {
  it('hands all that it has to its objects alone: their parts name whom they call, and which calls of the owner’s object they make', () => {
    const whole = /\benv: EdgeEnv\b|EdgeEnv\['KERNEL'\]|Pick<EdgeEnv, [^>]*'KERNEL'/
    const found = [...TREE].filter(
      ([path, text]) => /^durable-objects\/(?!platform\/)/.test(path) && whole.test(text),
    )
    expect(found.map(([path]) => path).sort()).toEqual(
      ['principal/principal', 'registry/kernel', 'tunnel/tunnel'].map((name) => `durable-objects/${name}.ts`),
    )
  })
})

/** Interfaces that `all-powers.ts` joins, with how many members each has. */
const PORTS = [
  ...(TREE.get(ALL) ?? '').matchAll(/import type \{([^}]*)\} from '(\.{1,2}\/[\w./-]+\.ts)'/g),
].flatMap(([, names = '', file = '']) =>
  names
    .split(',')
    .map((name) => name.trim())
    .filter((name) => name !== '')
    .map((name) => [name, membersOf(posix.join('kernel/powers', file), name)] as const),
)

describe('a port', () => {
  it('is one of some sixty', () => expect(PORTS.length).toBeGreaterThan(50))

  it.each(PORTS)('%s has a handful of members', (_name, members) => {
    expect(members).toBeGreaterThan(0)
    expect(members).toBeLessThanOrEqual(MOST_MEMBERS)
  })
})

/** 0 for what is no interface of that file. */
function membersOf(path: string, name: string): number {
  const { program } = parseSync(path, TREE.get(path) ?? '')
  for (const statement of program.body) {
    const declared = statement.type === 'ExportNamedDeclaration' ? statement.declaration : null
    if (declared?.type === 'TSInterfaceDeclaration' && declared.id.name === name)
      return declared.body.body.length
  }
  return 0
}

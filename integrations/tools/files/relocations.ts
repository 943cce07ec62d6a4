/** The declared parts of renaming, moving and deleting a file, and of undoing that. Data only. Called by manifest.ts. */
import type { FieldSpec } from '../../../kernel/flow/field.ts'
import type { ActionManifest } from '../../../kernel/tool/manifest.ts'

/** `taken`: a file exists at the new place, so nothing is moved there. */
export const SPOT_STATES = Object.freeze(['free', 'taken'] as const)

type Shared = Pick<
  ActionManifest,
  'semantics' | 'capability' | 'ceiling' | 'compartment' | 'reaches' | 'sink' | 'offline' | 'asks'
>

export function relocations({
  READ,
  CHANGE,
  PATH,
  VERSION,
}: {
  readonly READ: Shared
  readonly CHANGE: Shared
  readonly PATH: FieldSpec
  readonly VERSION: FieldSpec
}): readonly ActionManifest[] {
  /** Present and former path, for undo. */
  const moved = { kind: 'record', fields: { now: PATH, was: PATH, version: VERSION } } as const
  const target = (given: { readonly [argument: string]: string }): NonNullable<ActionManifest['target']> => ({
    by: 'files.spot',
    given,
    field: 'state',
    reaches: { free: 'sensitive', taken: 'sensitive' },
  })
  return [
    {
      ...READ,
      id: 'files.spot',
      description:
        'Where a file lies that shall be moved, renamed or deleted, its version, and where it would go.',
      args: { kind: 'record', fields: { file: PATH, to: { ...PATH, optional: true } } },
      output: {
        kind: 'record',
        fields: {
          ...{ path: PATH, to: PATH, version: VERSION },
          ...({ state: { kind: 'enum', values: SPOT_STATES }, size: { kind: 'number' } } as const),
        },
      },
    },
    {
      ...CHANGE,
      target: target({ file: 'path', to: 'to' }),
      id: 'files.move',
      description: 'Rename or move a file within the folders; path, to and version: of files.spot.',
      args: { kind: 'record', fields: { path: PATH, to: PATH, version: VERSION } },
      output: moved,
      done: 'the file is moved.',
    },
    {
      ...CHANGE,
      target: target({ file: 'path' }),
      id: 'files.delete',
      description: 'Put a file away, so that it can be brought back; path and version: of files.spot.',
      args: { kind: 'record', fields: { path: PATH, version: VERSION } },
      output: moved,
      done: 'the file is put away.',
    },
    {
      ...CHANGE,
      id: 'files.put_back',
      description:
        'Take back a move or a deletion of a file; now, was and version: of files.move or files.delete.',
      args: { kind: 'record', fields: { now: PATH, was: PATH, version: VERSION } },
      output: { kind: 'record', fields: { path: PATH } },
      done: 'the file is back.',
    },
  ]
}

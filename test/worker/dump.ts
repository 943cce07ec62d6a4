/** Everything that an object has stored, as text, bytes read as Latin-1: what its provider could read (B-13). */
export function dumpStorage(storage: DurableObjectStorage): string {
  const tables = storage.sql
    .exec<{ name: string }>(
      "select name from sqlite_master where type = 'table' and name not like 'sqlite_%' and name not like '_cf_%'",
    )
    .toArray()
  const rows = tables.flatMap(({ name }) => [
    name,
    ...storage.sql
      .exec(`select * from "${name}"`)
      .toArray()
      .flatMap((row) => Object.values(row).map(show)),
  ])
  const kept = [...storage.kv.list()].map(([key, value]) => `${key} ${JSON.stringify(value)}`)
  return [...rows, ...kept].join('\n')
}

function show(value: unknown): string {
  return value instanceof ArrayBuffer ? new TextDecoder('latin1').decode(value) : String(value)
}

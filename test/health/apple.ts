/** Health exports for tests, in the form that an iPhone writes: a document type, records of several devices, workouts in both of their forms. */
import { crc32, deflateRawSync } from 'node:zlib'

export const DOCTYPE = `<?xml version="1.0" encoding="UTF-8"?>
<!DOCTYPE HealthData [
<!-- HealthKit Export Version: 13 -->
<!ELEMENT HealthData (ExportDate,Me,(Record|Correlation|Workout|ActivitySummary)*)>
<!ATTLIST HealthData
  locale CDATA #REQUIRED
>
<!-- Note: Any Records that appear as children of a correlation also appear as the phone's "top-level records" in this document. -->
]>
`

export interface RecordParts {
  readonly type: string
  readonly value: string
  readonly unit?: string
  readonly from: string
  readonly to?: string
  readonly source?: string
}

/** `from`, `to`: `2026-11-26 08:00:00`, at +0100. */
export function record({ type, value, unit, from, to = from, source = 'iPhone' }: RecordParts): string {
  const kind = type.startsWith('HK') ? type : `HKQuantityTypeIdentifier${type}`
  const made = unit === undefined ? '' : ` unit="${unit}"`
  return ` <Record type="${kind}" sourceName="${source}" sourceVersion="17.1" device="&lt;&lt;HKDevice: 0x1&gt;, name:${source}&gt;"${made} creationDate="${to} +0100" startDate="${from} +0100" endDate="${to} +0100" value="${value}"/>\n`
}

export function night(stage: string, from: string, to: string, source = 'Watch'): string {
  const value = `HKCategoryValueSleepAnalysis${stage}`
  return record({ type: 'HKCategoryTypeIdentifierSleepAnalysis', value, from, to, source })
}

export function exported(...parts: readonly string[]): string {
  return `${DOCTYPE}<HealthData locale="en_DE">\n <ExportDate value="2026-11-27 09:00:00 +0100"/>\n <Me HKCharacteristicTypeIdentifierDateOfBirth="1980-01-01"/>\n${parts.join('')}</HealthData>\n`
}

/** A ZIP file of these, deflated. */
export function zipped(files: Readonly<Record<string, string | Buffer>>): Buffer {
  const bodies: Buffer[] = []
  const directory: Buffer[] = []
  let at = 0
  for (const [name, content] of Object.entries(files)) {
    const plain = Buffer.from(content)
    const packed = deflateRawSync(plain)
    const common = Buffer.alloc(26)
    common.writeUInt16LE(20, 0)
    common.writeUInt16LE(8, 4)
    common.writeUInt32LE(crc32(plain), 10)
    common.writeUInt32LE(packed.length, 14)
    common.writeUInt32LE(plain.length, 18)
    common.writeUInt16LE(Buffer.byteLength(name), 22)
    const local = Buffer.concat([Buffer.from('PK\u0003\u0004', 'latin1'), common, Buffer.from(name), packed])
    const tail = Buffer.alloc(14)
    tail.writeUInt32LE(at, 10)
    directory.push(
      Buffer.concat([Buffer.from('PK\u0001\u0002\u0014\u0000', 'latin1'), common, tail, Buffer.from(name)]),
    )
    bodies.push(local)
    at += local.length
  }
  const entries = Buffer.concat(directory)
  const end = Buffer.alloc(22)
  end.write('PK\u0005\u0006', 0, 'latin1')
  end.writeUInt16LE(directory.length, 8)
  end.writeUInt16LE(directory.length, 10)
  end.writeUInt32LE(entries.length, 12)
  end.writeUInt32LE(at, 16)
  return Buffer.concat([...bodies, entries, end])
}

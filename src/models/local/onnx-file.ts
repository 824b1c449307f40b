// Writes the part of the ONNX format that an encoder needs. Field numbers and types: onnx.proto of ONNX 1.17 (IR version 10).

/** ONNX data types by array. */
const TENSOR_TYPES = { float32: 1, uint8: 2, int8: 3, int64: 7 } as const

export type TensorType = keyof typeof TENSOR_TYPES

export interface Tensor {
  readonly name: string
  readonly type: TensorType
  /** Empty: a scalar. */
  readonly shape: readonly number[]
  /** Little-endian, row by row. */
  readonly data: Uint8Array
}

export interface GraphNode {
  readonly operator: string
  /** Absent: the operators of ONNX itself. */
  readonly domain?: string
  /** An empty name omits an optional input. */
  readonly inputs: readonly string[]
  readonly outputs: readonly string[]
  readonly attributes?: Readonly<Record<string, number | { readonly float: number } | readonly number[]>>
}

export interface GraphValue {
  readonly name: string
  readonly type: TensorType
  /** A name stands for a length that differs between runs. */
  readonly shape: readonly (number | string)[]
}

export interface Graph {
  readonly nodes: readonly GraphNode[]
  readonly weights: readonly Tensor[]
  readonly inputs: readonly GraphValue[]
  readonly outputs: readonly GraphValue[]
  /** Versions of the operators, by domain; '' is ONNX itself. */
  readonly operatorVersions: Readonly<Record<string, number>>
}

const IR_VERSION = 10

/** The bytes of an ONNX file. */
export function onnxFile(graph: Graph): Uint8Array {
  const body = [
    ...graph.nodes.map((node) => bytes(1, nodeMessage(node))),
    textField(2, 'encoder'),
    ...graph.weights.map((tensor) => bytes(5, tensorMessage(tensor))),
    ...graph.inputs.map((value) => bytes(11, valueMessage(value))),
    ...graph.outputs.map((value) => bytes(12, valueMessage(value))),
  ]
  const versions = Object.entries(graph.operatorVersions).map(([domain, version]) =>
    bytes(8, Buffer.concat([textField(1, domain), integer(2, version)])),
  )
  return Buffer.concat([integer(1, IR_VERSION), textField(2, 'recalld'), bytes(7, Buffer.concat(body)), ...versions])
}

function nodeMessage({ operator, domain = '', inputs, outputs, attributes = {} }: GraphNode): Uint8Array {
  return Buffer.concat([
    ...inputs.map((name) => textField(1, name)),
    ...outputs.map((name) => textField(2, name)),
    textField(4, operator),
    ...Object.entries(attributes).map(([name, value]) => bytes(5, attributeMessage(name, value))),
    textField(7, domain),
  ])
}

function attributeMessage(name: string, value: number | { readonly float: number } | readonly number[]): Uint8Array {
  if (typeof value === 'number') return Buffer.concat([textField(1, name), integer(3, value), integer(20, 2)])
  if ('float' in value) return Buffer.concat([textField(1, name), float(2, value.float), integer(20, 1)])
  return Buffer.concat([textField(1, name), ...value.map((one) => integer(8, one)), integer(20, 7)])
}

function tensorMessage({ name, type, shape, data }: Tensor): Uint8Array {
  const dimensions = shape.map((size) => integer(1, size))
  return Buffer.concat([...dimensions, integer(2, TENSOR_TYPES[type]), textField(8, name), bytes(9, data)])
}

function valueMessage({ name, type, shape }: GraphValue): Uint8Array {
  const sizes = shape.map((size) => bytes(1, typeof size === 'number' ? integer(1, size) : textField(2, size)))
  const tensor = Buffer.concat([integer(1, TENSOR_TYPES[type]), bytes(2, Buffer.concat(sizes))])
  return Buffer.concat([textField(1, name), bytes(2, bytes(1, tensor))])
}

// Fields of Protocol Buffers: https://protobuf.dev/programming-guides/encoding/

function varint(value: number): Uint8Array {
  const out: number[] = []
  let rest = BigInt.asUintN(64, BigInt(value))
  while (rest >= 128n) {
    out.push(Number(rest & 127n) | 128)
    rest >>= 7n
  }
  out.push(Number(rest))
  return Uint8Array.from(out)
}

function integer(field: number, value: number): Uint8Array {
  return Buffer.concat([varint(field * 8), varint(value)])
}

function float(field: number, value: number): Uint8Array {
  const data = Buffer.alloc(4)
  data.writeFloatLE(value)
  return Buffer.concat([varint(field * 8 + 5), data])
}

function bytes(field: number, value: Uint8Array): Uint8Array {
  return Buffer.concat([varint(field * 8 + 2), varint(value.length), value])
}

function textField(field: number, value: string): Uint8Array {
  return bytes(field, Buffer.from(value))
}

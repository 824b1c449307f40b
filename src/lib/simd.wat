;; Loops over bytes, 16 at a time, on a memory that the caller hands in. Assemble after a change with
;;   npx --package wabt wat2wasm src/lib/simd.wat -o src/lib/simd.wasm
(module
  (import "caller" "memory" (memory 0))

  ;; Hamming distances: for each row from $row to $rowsEnd, the bits that differ from those between $pattern and
  ;; $patternEnd, written to $out as 16-bit numbers.
  (func (export "hammingDistances")
    (param $row i32) (param $rowsEnd i32) (param $pattern i32) (param $patternEnd i32) (param $out i32)
    (local $part i32) (local $sum v128)
    loop $rows
      (local.set $sum (v128.const i64x2 0 0))
      (local.set $part (local.get $pattern))
      loop $parts
        (v128.xor (v128.load align=1 (local.get $row)) (v128.load align=1 (local.get $part)))
        i8x16.popcnt
        i16x8.extadd_pairwise_i8x16_u
        local.get $sum
        i16x8.add
        local.set $sum
        (local.set $row (i32.add (local.get $row) (i32.const 16)))
        (local.tee $part (i32.add (local.get $part) (i32.const 16)))
        local.get $patternEnd
        i32.lt_u
        br_if $parts
      end
      (local.set $sum (i32x4.extadd_pairwise_i16x8_s (local.get $sum)))
      local.get $out
      (i32.add
        (i32.add
          (i32.add (i32x4.extract_lane 0 (local.get $sum)) (i32x4.extract_lane 1 (local.get $sum)))
          (i32x4.extract_lane 2 (local.get $sum)))
        (i32x4.extract_lane 3 (local.get $sum)))
      i32.store16 align=1
      (local.set $out (i32.add (local.get $out) (i32.const 2)))
      (br_if $rows (i32.lt_u (local.get $row) (local.get $rowsEnd)))
    end)

  ;; What `matchTokens` compares passages with: see `beginMatch`.
  (global $table (mut i32) (i32.const 0))
  (global $dimensions (mut i32) (i32.const 0))
  (global $lengths (mut i32) (i32.const 0))
  (global $slots (mut i32) (i32.const 0))
  (global $query (mut i32) (i32.const 0))
  (global $queryEnd (mut i32) (i32.const 0))
  (global $products (mut i32) (i32.const 0))
  (global $queryLengths (mut i32) (i32.const 0))
  (global $floor (mut f64) (f64.const 0))
  (global $rowBytes (mut i32) (i32.const 0))
  (global $free (mut i32) (i32.const 0))

  ;; Begins to match tokens with those of a question.
  ;;   $table: $dimensions signed bytes for each token; $lengths: its inverse length, 32-bit
  ;;   $slots: zeros, 32-bit, one for each token; $free: room for similarities, $rowBytes (a multiple of 16) for each token
  ;;   $query to $queryEnd: addresses of the question's tokens in the table; $products: room for as many 32-bit numbers
  ;;   $queryLengths: their inverse lengths as scaled by the caller, 64-bit; $floor: is subtracted from similarities
  (func (export "beginMatch")
    (param $table i32) (param $dimensions i32) (param $lengths i32) (param $slots i32)
    (param $query i32) (param $queryEnd i32) (param $products i32) (param $queryLengths i32)
    (param $floor f64) (param $rowBytes i32) (param $free i32)
    (global.set $table (local.get $table))
    (global.set $dimensions (local.get $dimensions))
    (global.set $lengths (local.get $lengths))
    (global.set $slots (local.get $slots))
    (global.set $query (local.get $query))
    (global.set $queryEnd (local.get $queryEnd))
    (global.set $products (local.get $products))
    (global.set $queryLengths (local.get $queryLengths))
    (global.set $floor (local.get $floor))
    (global.set $rowBytes (local.get $rowBytes))
    (global.set $free (local.get $free)))

  ;; The best similarity of each token of the question with the tokens from $id to $idsEnd, 16 bits each and at least one,
  ;; written to $out as 32-bit floats. Similarities of a token are computed once for all passages of a question. Returns the
  ;; end of those that are known by now.
  (func (export "matchTokens") (param $id i32) (param $idsEnd i32) (param $out i32) (result i32)
    (local $slot i32) (local $row i32) (local $part i32) (local $outEnd i32)
    (local.set $outEnd (i32.add (local.get $out) (global.get $rowBytes)))
    (local.set $part (local.get $out))
    loop $clear
      (v128.store align=1 (local.get $part) (v128.const i64x2 0 0))
      (br_if $clear
        (i32.lt_u (local.tee $part (i32.add (local.get $part) (i32.const 16))) (local.get $outEnd)))
    end
    loop $tokens
      (local.set $slot
        (i32.add (global.get $slots) (i32.shl (i32.load16_u align=1 (local.get $id)) (i32.const 2))))
      (local.set $row (i32.load align=1 (local.get $slot)))
      (if (i32.eqz (local.get $row))
        (then
          (local.set $row (global.get $free))
          (i32.store align=1 (local.get $slot) (local.get $row))
          (global.set $free (i32.add (local.get $row) (global.get $rowBytes)))
          (call $similarities (i32.load16_u align=1 (local.get $id)) (local.get $row))))
      (local.set $part (local.get $out))
      loop $parts
        (v128.store align=1 (local.get $part)
          (f32x4.max (v128.load align=1 (local.get $part)) (v128.load align=1 (local.get $row))))
        (local.set $row (i32.add (local.get $row) (i32.const 16)))
        (br_if $parts
          (i32.lt_u (local.tee $part (i32.add (local.get $part) (i32.const 16))) (local.get $outEnd)))
      end
      (br_if $tokens
        (i32.lt_u (local.tee $id (i32.add (local.get $id) (i32.const 2))) (local.get $idsEnd)))
    end
    global.get $free)

  ;; Similarities of a token to those of the question, at least 0, written to $out as 32-bit floats.
  (func $similarities (param $id i32) (param $out i32)
    (local $query i32) (local $product i32) (local $queryLength i32) (local $length f64)
    (call $innerProducts
      (i32.add (global.get $table) (i32.mul (local.get $id) (global.get $dimensions)))
      (global.get $dimensions)
      (global.get $query)
      (global.get $queryEnd)
      (global.get $products))
    (local.set $length
      (f64.promote_f32 (f32.load align=1 (i32.add (global.get $lengths) (i32.shl (local.get $id) (i32.const 2))))))
    (local.set $query (global.get $query))
    (local.set $product (global.get $products))
    (local.set $queryLength (global.get $queryLengths))
    loop $tokens
      (f32.store align=1 (local.get $out)
        (f32.demote_f64
          (f64.max
            (f64.const 0)
            (f64.sub
              (f64.mul
                (f64.mul (f64.convert_i32_s (i32.load align=1 (local.get $product))) (local.get $length))
                (f64.load align=1 (local.get $queryLength)))
              (global.get $floor)))))
      (local.set $out (i32.add (local.get $out) (i32.const 4)))
      (local.set $product (i32.add (local.get $product) (i32.const 4)))
      (local.set $queryLength (i32.add (local.get $queryLength) (i32.const 8)))
      (br_if $tokens
        (i32.lt_u (local.tee $query (i32.add (local.get $query) (i32.const 4))) (global.get $queryEnd)))
    end)

  ;; Inner products: for each address from $query to $queryEnd, the product of the $length signed bytes there with those
  ;; at $row, written to $out as 32-bit numbers.
  (func $innerProducts
    (param $row i32) (param $length i32) (param $query i32) (param $queryEnd i32) (param $out i32)
    (local $left i32) (local $right i32) (local $last i32) (local $sum v128)
    (local.set $last (i32.add (local.get $row) (local.get $length)))
    loop $rows
      (local.set $left (local.get $row))
      (local.set $right (i32.load align=1 (local.get $query)))
      (local.set $sum (v128.const i64x2 0 0))
      loop $parts
        (i32x4.extadd_pairwise_i16x8_s
          (i16x8.extmul_low_i8x16_s (v128.load align=1 (local.get $left)) (v128.load align=1 (local.get $right))))
        local.get $sum
        i32x4.add
        local.set $sum
        (i32x4.extadd_pairwise_i16x8_s
          (i16x8.extmul_high_i8x16_s (v128.load align=1 (local.get $left)) (v128.load align=1 (local.get $right))))
        local.get $sum
        i32x4.add
        local.set $sum
        (local.set $right (i32.add (local.get $right) (i32.const 16)))
        (local.tee $left (i32.add (local.get $left) (i32.const 16)))
        local.get $last
        i32.lt_u
        br_if $parts
      end
      local.get $out
      (i32.add
        (i32.add
          (i32.add (i32x4.extract_lane 0 (local.get $sum)) (i32x4.extract_lane 1 (local.get $sum)))
          (i32x4.extract_lane 2 (local.get $sum)))
        (i32x4.extract_lane 3 (local.get $sum)))
      i32.store align=1
      (local.set $out (i32.add (local.get $out) (i32.const 4)))
      (local.set $query (i32.add (local.get $query) (i32.const 4)))
      (br_if $rows (i32.lt_u (local.get $query) (local.get $queryEnd)))
    end)
)

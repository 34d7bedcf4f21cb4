//! WB0051: a layout that does not fit the slice.
use super::{Page, Text};

pub(super) static PAGE: Page = Page {
    title: Text::new("a layout that does not fit the slice", "раскладка не соответствует срезу"),
    what: Text::new(
        "A layout names elements of a slice. Each of them must be inside the slice. A layout that is received into names no element twice, and shares none with the layout that the same call sends from the slice. An array part needs one number for each dimension. The same holds for blocks with displacements: each block must be inside the buffer, and blocks that are received share no element.",
        "Раскладка перечисляет элементы среза. Каждый из них должен лежать внутри среза. Принимаемая раскладка не содержит ни одного элемента дважды и не имеет общих элементов с раскладкой, которую тот же вызов отправляет из этого среза. Для части массива нужно по одному числу на каждое измерение. То же верно для блоков со смещениями: каждый блок должен лежать внутри буфера, а у принимаемых блоков нет общих элементов.",
    ),
    picture: Text::new(
        r#"rows 2, columns 3:  [ 0 1 2 | 3 4 5 ]
column 2:                 ^       ^      Layout::vector(2, 1, 3).at(2)
"column 3":                 ^       ^    element 6 is outside"#,
        r#"2 строки, 3 столбца:  [ 0 1 2 | 3 4 5 ]
столбец 2:                  ^       ^      Layout::vector(2, 1, 3).at(2)
«столбец 3»:                  ^       ^    элемента 6 нет"#,
    ),
    wrong: r#"let matrix = vec![0.5; 6];
let column = Layout::vector(2, 1, 3).at(3);
world.send_layout(&matrix, &column, 1 - world.rank(), 0)"#,
    right: r#"let matrix = vec![0.5; 6];
let (mut other, peer) = (matrix.clone(), 1 - world.rank());
let column = Layout::vector(2, 1, 3).at(2);
let sent = world.isend_layout(matrix, &column, peer, 0)?;
world.recv_layout(&mut other, &column, peer, 0)?;
sent.wait().map(drop)"#,
    hint: Text::new(
        "The last element of `Layout::vector(count, block_length, stride).at(offset)` is `offset + (count - 1) * stride + block_length - 1`; positions count from 0.",
        "Последний элемент раскладки `Layout::vector(count, block_length, stride).at(offset)` — `offset + (count - 1) * stride + block_length - 1`; позиции считаются с 0.",
    ),
};

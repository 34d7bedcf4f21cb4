//! The assignment itself: its laws, the outputs that it refuses, and a solution on several ranks.
use assignment_3_1_cannon::{BlockProduct, Reference, SquareFactors};
use workbench::{
    Invalid, Matrix, Place, Result, Rooted, Task, World, assignment_laws::check_assignment, functional,
};

#[test]
fn keeps_the_laws_and_finds_mistakes() {
    check_assignment::<BlockProduct>(&[
        ("one element is off by a millionth", |_, mut c| {
            if let Some(element) = c.elements.last_mut() {
                *element += 1e-6;
            }
            c
        }),
        ("zeros", |_, c| Matrix::zeros(c.rows, c.columns)),
        ("the product of the transposed factors", |_, c| {
            Matrix::of(c.rows, c.columns, |i, j| if i < c.columns && j < c.rows { c.row(j)[i] } else { 0.0 })
        }),
        ("a row is missing", |_, c| Matrix {
            rows: c.rows.max(1) - 1,
            elements: c.elements[..c.elements.len() - c.columns.min(c.elements.len())].to_vec(),
            columns: c.columns,
        }),
        ("not a number", |_, mut c| {
            c.elements.iter_mut().for_each(|element| *element = f64::NAN);
            c
        }),
    ]);
}

/// Cannon's algorithm on the largest square grid of ranks; the other ranks wait. Blocks are padded with zeros.
struct Cannon;

/// The blocks of a rank of the grid, and the size of the whole matrices.
struct Blocks {
    a: Matrix,
    b: Matrix,
    size: usize,
}

const TAG: i32 = 1;

fn block(whole: &Matrix, [i, j]: [usize; 2], length: usize) -> Matrix {
    let element = |row: usize, column: usize| {
        let (row, column) = (i * length + row, j * length + column);
        if row < whole.rows && column < whole.columns { whole.row(row)[column] } else { 0.0 }
    };
    Matrix::of(length, length, element)
}

impl Task for Cannon {
    type Problem = BlockProduct;
    type Prepared = Option<Blocks>;
    type Raw = Option<(Matrix, usize)>;

    const OUTPUT: Place = Place::Home;

    fn validation(&self, input: &SquareFactors, ranks: usize) -> std::result::Result<(), Invalid> {
        Reference.validation(input, ranks)
    }

    /// Rank (i, j) gets the blocks (i, i + j) of A and (i + j, j) of B.
    fn preprocessing(&self, world: &World, input: Rooted<SquareFactors>) -> Result<Option<Blocks>> {
        let side = world.size().isqrt();
        let mut size = [input.as_ref().here().map_or(0, |input| input.a.rows)];
        world.bcast(&mut size, 0)?;
        let length = size[0].div_ceil(side);
        let of = |whole: Vec<f64>| Matrix { rows: length, columns: length, elements: whole };
        if let Some(SquareFactors { a, b }) = input.here() {
            let blocks = |rank: usize| {
                let (i, j) = (rank / side, rank % side);
                let middle = (i + j) % side;
                (block(&a, [i, middle], length), block(&b, [middle, j], length))
            };
            for rank in 1..side * side {
                let (a, b) = blocks(rank);
                world.send(&a.elements, rank, TAG)?;
                world.send(&b.elements, rank, TAG)?;
            }
            let (a, b) = blocks(0);
            return Ok(Some(Blocks { a, b, size: size[0] }));
        }
        if world.rank() >= side * side {
            return Ok(None);
        }
        let (a, _) = world.recv_vec::<f64>(0, TAG)?;
        let (b, _) = world.recv_vec::<f64>(0, TAG)?;
        Ok(Some(Blocks { a: of(a), b: of(b), size: size[0] }))
    }

    /// In each step the ranks multiply their blocks, then A moves to the left and B upwards.
    fn run(&self, world: &World, blocks: &Option<Blocks>) -> Result<Self::Raw> {
        let Some(Blocks { a, b, size }) = blocks else { return Ok(None) };
        let (mut a, mut b) = (a.clone(), b.clone());
        let side = world.size().isqrt();
        let (i, j) = (world.rank() / side, world.rank() % side);
        let at = |i: usize, j: usize| i % side * side + j % side;
        let mut c = Matrix::zeros(a.rows, a.columns);
        for _ in 0..side {
            let part = Reference.run(world, &SquareFactors { a: a.clone(), b: b.clone() })?;
            c.elements.iter_mut().zip(&part.elements).for_each(|(c, part)| *c += part);
            let shift = |block: &mut Matrix, to: usize, from: usize| {
                let sent = block.elements.clone();
                world.sendrecv(&sent, to, TAG, &mut block.elements, from, TAG).map(|_| ())
            };
            if side > 1 {
                shift(&mut a, at(i, j + side - 1), at(i, j + 1))?;
                shift(&mut b, at(i + side - 1, j), at(i + 1, j))?;
            }
        }
        Ok(Some((c, *size)))
    }

    fn postprocessing(&self, world: &World, mine: Self::Raw) -> Result<Rooted<Matrix>> {
        let Some((mine, size)) = mine else { return Ok(Rooted::Elsewhere) };
        if world.rank() > 0 {
            world.send(&mine.elements, 0, TAG)?;
            return Ok(Rooted::Elsewhere);
        }
        let (side, length) = (world.size().isqrt(), mine.rows);
        let received = (1..side * side)
            .map(|rank| Ok(world.recv_vec::<f64>(rank, TAG)?.0))
            .collect::<Result<Vec<_>>>()?;
        let blocks: Vec<Vec<f64>> = [mine.elements].into_iter().chain(received).collect();
        Ok(Rooted::Here(Matrix::of(size, size, |row, column| {
            let (i, j) = (row / length, column / length);
            blocks[i * side + j][row % length * length + column % length]
        })))
    }
}

#[test]
fn a_solution_on_several_ranks_passes() {
    functional(Cannon).against_reference().graded();
}

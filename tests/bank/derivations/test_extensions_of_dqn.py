"""What Rainbow's parts compute: two streams, a projected target, replay by error, and n-step targets off-policy."""

from __future__ import annotations

import pytest
import torch

from tests.recorded import code_alone

pytestmark = [pytest.mark.content, pytest.mark.recorded(subject_of=code_alone)]

GAMMA = 0.9
GENERATOR = torch.Generator().manual_seed(5)


def dueling(value: torch.Tensor, advantages: torch.Tensor, subtracted: str) -> torch.Tensor:
    """Return the Q-values of a dueling head that subtracts nothing, the mean or the maximum of the advantages."""
    offset = {"nothing": torch.zeros(()), "mean": advantages.mean(), "maximum": advantages.max()}[subtracted]
    return value + advantages - offset


def test_a_constant_can_move_between_the_streams_only_if_nothing_is_subtracted() -> None:
    value, advantages = torch.tensor(2.0), torch.randn(5, generator=GENERATOR)

    for subtracted, is_ambiguous in (("nothing", True), ("mean", False), ("maximum", False)):
        before = dueling(value, advantages, subtracted)
        after = dueling(value + 10, advantages - 10, subtracted)
        assert torch.allclose(before, after, atol=1e-5) is is_ambiguous

    assert dueling(value, advantages, "mean").mean().item() == pytest.approx(value.item(), abs=1e-5)
    assert dueling(value, advantages, "maximum").max().item() == pytest.approx(value.item(), abs=1e-5)
    assert dueling(value, advantages, "mean").max().item() > value.item() + 0.1
    assert dueling(value, advantages, "maximum").mean().item() < value.item() - 0.1


@pytest.mark.parametrize("actions", [2, 5, 18])
def test_one_update_of_a_dueling_head_moves_the_value_of_every_action(actions: int) -> None:
    step, tried, target = 0.1, 0, 7.0
    for subtracted, share in (("mean", 1 / actions), ("nothing", 0.0)):
        value = torch.zeros((), dtype=torch.float64, requires_grad=True)
        advantages = torch.randn(actions, generator=GENERATOR, dtype=torch.float64).requires_grad_()
        q = dueling(value, advantages, subtracted)
        error = (target - q[tried]).item()
        for_value, for_advantages = torch.autograd.grad(0.5 * (target - q[tried]) ** 2, [value, advantages])
        moved = dueling(value - step * for_value, advantages - step * for_advantages, subtracted) - q

        assert moved[tried].item() == pytest.approx(step * error * (2 - share))
        for other in range(1, actions):
            assert moved[other].item() == pytest.approx(step * error * (1 - share))

    separate = torch.zeros(actions, requires_grad=True)
    (gradient,) = torch.autograd.grad(0.5 * (target - separate[tried]) ** 2, [separate])
    assert torch.count_nonzero(gradient).item() == 1


def projected(atoms: torch.Tensor, values: torch.Tensor, probabilities: torch.Tensor, is_nearest: bool) -> torch.Tensor:
    """Return the probabilities of the atoms; a value gives each atom less, the farther away it is."""
    places = (values.clamp(atoms[0], atoms[-1]) - atoms[0]) / (atoms[1] - atoms[0])
    distances = (places[:, None] - torch.arange(len(atoms), dtype=places.dtype)).abs()
    shares = torch.zeros_like(distances)
    if is_nearest:
        shares[torch.arange(len(values)), distances.argmin(1)] = 1
    else:
        shares = (1 - distances).clamp(min=0)
    return probabilities @ shares


def test_the_split_between_two_atoms_keeps_the_mean_and_the_nearest_atom_or_a_clipped_value_does_not() -> None:
    atoms = torch.tensor([0.0, 2.0, 4.0], dtype=torch.float64)
    probabilities = torch.tensor([0.4, 0.2, 0.4], dtype=torch.float64)
    values = 0.5 + 0.5 * atoms
    target = projected(atoms, values, probabilities, is_nearest=False)
    nearest = projected(atoms, values, probabilities, is_nearest=True)

    torch.testing.assert_close(target, torch.tensor([0.35, 0.55, 0.1], dtype=torch.float64))
    assert (target @ atoms).item() == pytest.approx((probabilities @ values).item()) == pytest.approx(1.5)
    assert (nearest @ atoms).item() == pytest.approx(1.2)

    ended = projected(atoms, torch.tensor([5.0], dtype=torch.float64), torch.ones(1, dtype=torch.float64), False)
    torch.testing.assert_close(ended, torch.tensor([0.0, 0.0, 1.0], dtype=torch.float64))
    assert (ended @ atoms).item() == pytest.approx(4)


def limit_of_replay(rewards: torch.Tensor, exponent: float, beta: float) -> float:
    """Return where one table entry ends up after many small expected updates; priorities are always up to date."""
    value = torch.tensor(0.5, dtype=torch.float64)
    for _ in range(20_000):
        errors = rewards - value
        priorities = errors.abs().clamp(min=1e-9) ** exponent
        sampled = priorities / priorities.sum()
        weights = (len(rewards) * sampled) ** -beta
        value = value + 0.01 * (sampled * weights * errors).sum()
    return value.item()


def test_replay_by_error_converges_to_another_value_unless_full_weights_correct_it() -> None:
    rewards = torch.tensor([0.0] * 9 + [8.0], dtype=torch.float64)

    assert limit_of_replay(rewards, exponent=1, beta=0) == pytest.approx(2, abs=1e-3)
    assert limit_of_replay(rewards, exponent=1, beta=1) == pytest.approx(0.8, abs=1e-3)
    assert 0.9 < limit_of_replay(rewards, exponent=1, beta=0.5) < 1.9
    assert limit_of_replay(rewards, exponent=0, beta=0) == pytest.approx(0.8, abs=1e-3)
    for zeros, reward in ((4, 24.0), (25, 60.0)):
        some = torch.tensor([0.0] * zeros + [reward], dtype=torch.float64)
        assert limit_of_replay(some, exponent=1, beta=0) == pytest.approx(reward / (1 + zeros**0.5), abs=1e-2)


def test_an_n_step_target_is_biased_if_a_later_action_was_not_greedy_and_the_one_step_target_is_not() -> None:
    """A chain of two states: the first action pays 1, then a good action pays 5 and a bad one pays 0, and it ends."""
    greedy, first_reward = 5.0, 1.0
    true = first_reward + GAMMA * greedy

    def mean_target(explores: float, steps: int, is_cut: bool) -> float:
        mean = 0.0
        for probability, second in ((1 - explores, greedy), (explores, 0.0)):
            is_bootstrapped = steps == 1 or (is_cut and second != greedy)
            mean += probability * (first_reward + GAMMA * (greedy if is_bootstrapped else second))
        return mean

    for explores in (0.0, 0.1, 0.5):
        assert mean_target(explores, steps=1, is_cut=False) == pytest.approx(true)
        assert mean_target(explores, steps=2, is_cut=True) == pytest.approx(true)
        assert mean_target(explores, steps=2, is_cut=False) == pytest.approx(true - GAMMA * explores * greedy)
